"""Runs the worker in a separate process, on the database of a server."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from tests.databases import ROOT
from tests.patience import PATIENCE
from tests.serving import environment_of

T = TypeVar("T")
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


def work_command(*options: str) -> list[str]:
    """Return the command that runs the worker."""
    return [sys.executable, "manage.py", "work", *options]


@contextmanager
def run_worker(
    var: Path, variables: Mapping[str, str] = NO_VARIABLES, *options: str
) -> Iterator[subprocess.Popen[str]]:
    """Run the worker until the end of the block."""
    process = subprocess.Popen(
        work_command(*options),
        cwd=ROOT,
        env=environment_of(var) | dict(variables),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=PATIENCE)


def wait_until(condition: Callable[[], T], what: str) -> T:
    """Wait until a condition holds; return its value."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {PATIENCE} s: {what}"
        time.sleep(0.05)
    return value


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return " Z " not in Path(f"/proc/{pid}/stat").read_text()
