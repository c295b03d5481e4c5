"""Evaluates expressions over the settings, each in a process with its own environment.

The processes are forked from one that has imported what the settings import of Django, which is
three quarters of the time that a new process would take.
"""

# Decision 127: tests do not repeat what is the same for each of them.

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOOP = """
import json, os, sys, traceback
import django.core.serializers.json, django.http
for line in sys.stdin:
    case = json.loads(line)
    child = os.fork()
    if not child:
        for descriptor in (1, 2):
            os.dup2(os.open(case["files"][descriptor - 1], os.O_WRONLY), descriptor)
        os.environ.clear()
        os.environ.update(case["environment"])
        status = 0
        try:
            from registry import settings
            print(eval(case["expression"]), flush=True)
        except BaseException:
            traceback.print_exc()
            status = 1
        os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@dataclass(frozen=True)
class Evaluation:
    """What a process wrote, and its exit status."""

    output: str
    errors: str
    status: int


class SettingsReader:
    """Evaluates expressions, which name the settings `settings`, while it is running."""

    _process: "subprocess.Popen[str]"
    _files: tuple[Path, Path]

    @contextmanager
    def running(self) -> Iterator[None]:
        """Start the process that the others are forked from, and end it."""
        with (
            tempfile.TemporaryDirectory() as folder,
            subprocess.Popen(
                [sys.executable, "-c", LOOP],
                cwd=ROOT,
                env={"PATH": os.environ["PATH"]},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            ) as self._process,
        ):
            self._files = (Path(folder) / "output", Path(folder) / "errors")
            yield

    def evaluate(self, expression: str, environment: Mapping[str, str]) -> Evaluation:
        """Return what a process makes of it, with this environment and no other variable."""
        for file in self._files:
            file.write_text("")
        files = [*map(str, self._files)]
        case = {"expression": expression, "environment": {**environment}, "files": files}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(case) + "\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        output, errors = (file.read_text() for file in self._files)
        return Evaluation(output, errors, status)
