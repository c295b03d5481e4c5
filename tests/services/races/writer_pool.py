"""Processes that write to one database at the same moment."""

import json
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

SIZE = 4  # more than cores, so that they do meet
PATIENCE = 60  # seconds for one round of jobs; the longest takes five


class Crew:
    """Writers, each a process of its own."""

    def __init__(self, writers: list[subprocess.Popen[str]]) -> None:
        self.writers = writers

    def together(self, *jobs: Mapping[str, Any], spread: float = 0) -> list[Any]:
        """Start jobs at once, or each `spread` seconds after the one before; what came of each."""
        assert len(jobs) <= len(self.writers)
        start = time.time() + 0.02
        for at, (writer, job) in enumerate(zip(self.writers, jobs, strict=False)):
            assert writer.stdin
            writer.stdin.write(json.dumps({"at": start + at * spread, **job}) + "\n")
            writer.stdin.flush()
        return [_line(writer) for writer in self.writers[: len(jobs)]]


def _line(writer: subprocess.Popen[str]) -> Any:
    assert writer.stdout
    with selectors.DefaultSelector() as selector:
        selector.register(writer.stdout, selectors.EVENT_READ)
        if not selector.select(PATIENCE):
            raise TimeoutError(f"writer {writer.pid} said nothing for {PATIENCE} s")
    line = writer.stdout.readline()
    assert line, f"writer {writer.pid} failed: see its traceback on standard error"
    return json.loads(line)


@contextmanager
def crew(size: int, environment: Mapping[str, str]) -> Iterator[Crew]:
    """Writers that end with the block, whatever happens in it."""
    command = [sys.executable, "-m", "tests.services.races.writer"]
    with ExitStack() as stack:
        writers = []
        for _ in range(size):
            writer = subprocess.Popen(command, env=environment, stdin=-1, stdout=-1, text=True)
            stack.enter_context(writer)
            stack.callback(writer.kill)
            writers.append(writer)
        yield Crew(writers)
