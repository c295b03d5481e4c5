"""Runs commands of `manage.py`, each in a process of its own.

The processes are forked from one that has set up Django, which takes two seconds. It sees one
environment, so that a registry has one of its own; each command opens its own connections.
"""

# Decision 127: tests do not repeat what is the same for each of them.

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.databases import ROOT
from tests.patience import PATIENCE

LOOP = f"""
import json, os, signal, sys
import django
import manage
from django.core import checks
from django.core.management import get_commands, load_command_class
from registry.site_files import CLIENT

def run(words, files):
    signal.alarm({PATIENCE:.0f})
    for descriptor, path in enumerate(files):
        os.dup2(os.open(path, os.O_WRONLY if descriptor else os.O_RDONLY), descriptor)
    sys.argv = ["manage.py", *words]
    code = 0
    try:
        manage.main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    if isinstance(code, str):
        print(code, file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    return 1 if isinstance(code, str) else code or 0

django.setup()
sys.path.insert(1, str(CLIENT))  # as manage.main does
for name, application in get_commands().items():
    load_command_class(application, name)
checks.run_checks()  # imports the pages
print("ready", flush=True)
for line in sys.stdin:
    child = os.fork()
    if not child:
        os._exit(run(**json.loads(line)))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@dataclass(frozen=True)
class Finished:
    """What a command wrote, and its exit status."""

    written: bytes
    stderr: str
    returncode: int

    @property
    def stdout(self) -> str:
        return self.written.decode()


@dataclass(frozen=True)
class Commands:
    """Runs commands in an environment."""

    _process: "subprocess.Popen[str]"
    _folder: Path

    def run(self, *words: str, stdin: str = "") -> Finished:
        """Run `manage.py` with these words; it reads `stdin`."""
        files = [self._folder / name for name in ("input", "output", "errors")]
        for file, text in zip(files, (stdin, "", ""), strict=True):
            file.write_text(text)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        case = {"words": words, "files": [str(file) for file in files]}
        self._process.stdin.write(json.dumps(case) + "\n")
        self._process.stdin.flush()
        returncode = int(self._process.stdout.readline())
        return Finished(files[1].read_bytes(), files[2].read_text(), returncode)

    def output(self, *words: str) -> str:
        """Return all that a command writes, which must not fail."""
        finished = self.run(*words)
        assert finished.returncode == 0, finished.stderr
        return finished.stdout + finished.stderr


@contextmanager
def commands_in(environment: Mapping[str, str]) -> Iterator[Commands]:
    """Start the process that commands are forked from, and end it."""
    variables = {**environment, "DJANGO_SETTINGS_MODULE": "registry.settings"}
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-c", LOOP],
            cwd=ROOT,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield Commands(process, Path(folder))
