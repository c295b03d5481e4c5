"""A pool of processes that write to one database at the same time."""

import json
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from tests.patience import PATIENCE

SIZE = 4  # more than cores, so that writes collide


class WriterPool:
    """Writers in separate processes."""

    def __init__(self, writers: list[subprocess.Popen[str]]) -> None:
        self.writers = writers

    def run(self, *jobs: Mapping[str, Any], delay: float = 0) -> list[Any]:
        """Start jobs simultaneously, or `delay` seconds apart, and return their results."""
        assert len(jobs) <= len(self.writers)
        start = time.time() + 0.02
        for index, (writer, job) in enumerate(zip(self.writers, jobs, strict=False)):
            assert writer.stdin
            writer.stdin.write(json.dumps({"start": start + index * delay, **job}) + "\n")
            writer.stdin.flush()
        return [_read_result(writer) for writer in self.writers[: len(jobs)]]


def _read_result(writer: subprocess.Popen[str]) -> Any:
    assert writer.stdout
    with selectors.DefaultSelector() as selector:
        selector.register(writer.stdout, selectors.EVENT_READ)
        if not selector.select(PATIENCE):
            raise TimeoutError(f"writer {writer.pid} wrote nothing for {PATIENCE} s")
    line = writer.stdout.readline()
    assert line, f"writer {writer.pid} failed: see its traceback on standard error"
    return json.loads(line)


@contextmanager
def start_writers(size: int, environment: Mapping[str, str]) -> Iterator[WriterPool]:
    """Start writers, and kill them at the end of the block."""
    command = [sys.executable, "-m", "tests.services.races.writer"]
    with ExitStack() as stack:
        writers = []
        for _ in range(size):
            writer = subprocess.Popen(command, env=environment, stdin=-1, stdout=-1, text=True)
            stack.enter_context(writer)
            stack.callback(writer.kill)
            writers.append(writer)
        yield WriterPool(writers)
