"""The real TVM, asked from the registry's environment: one process answers as long as it lives."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

WORKER = Path(__file__).with_name("worker.py")


class Raised(Exception):
    """What TVM raised: the type and the message."""


@dataclass(frozen=True)
class Compiler:
    """A process of `tests/tvm/worker.py`."""

    process: subprocess.Popen[str]
    questions: IO[str]
    answers: IO[str]
    log: Path

    def ask(self, question: str, **arguments: Any) -> Any:
        """The answer to a question, which is the name of a function there.

        Raises `Raised` for what TVM does not accept.
        """
        said = json.dumps({"ask": question, "arguments": arguments})
        self.questions.write(said + "\n")
        self.questions.flush()
        line = self.answers.readline()
        if not line:
            raise AssertionError(f"TVM crashed over {said}:\n{self.log.read_text()[-4000:]}")
        answer = json.loads(line)
        if "error" in answer:
            raise Raised(answer["error"])
        return answer["ok"]

    def export(self, target: Any) -> Any:
        """What TVM understands of a target."""
        return self.ask("export", target=target)


@contextmanager
def compiler(python: str, log: Path) -> Iterator[Compiler]:
    """TVM in a process of its own, which logs to a file."""
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [python, "-P", str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        yield Compiler(process, process.stdin, process.stdout, log)
        process.stdin.close()  # which ends it
