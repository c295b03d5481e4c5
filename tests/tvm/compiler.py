"""A client for the process that runs the real TVM."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

WORKER = Path(__file__).with_name("worker.py")
CLIENT = Path(__file__).parent.parent.parent / "client"


class TvmError(Exception):
    """An exception of TVM, with its type and message."""


@dataclass(frozen=True)
class Compiler:
    """A process of `tests/tvm/worker.py`."""

    process: subprocess.Popen[str]
    requests: IO[str]
    responses: IO[str]
    log: Path

    def call(self, function: str, **arguments: Any) -> Any:
        """Call a function of the worker. Raises `TvmError` if TVM raises."""
        request = json.dumps({"function": function, "arguments": arguments})
        self.requests.write(request + "\n")
        self.requests.flush()
        line = self.responses.readline()
        if not line:
            raise AssertionError(f"TVM crashed on {request}:\n{self.log.read_text()[-4000:]}")
        response = json.loads(line)
        if "error" in response:
            raise TvmError(response["error"])
        return response["result"]

    def export(self, target: Any) -> Any:
        """Return a target as TVM parses and exports it."""
        return self.call("export", target=target)


@contextmanager
def compiler(python: str, log: Path, worker: Path = WORKER) -> Iterator[Compiler]:
    """Run TVM in a process of its own, which logs to a file. It can import the client `ttag`."""
    folders = map(str, (worker.parent, WORKER.parent, CLIENT))
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [python, "-P", str(worker)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        yield Compiler(process, process.stdin, process.stdout, log)
        process.stdin.close()  # ends the process
