"""TVM's own look-up of a tag, in one process: `tvm.target.Target(tag)`."""

# ruff: noqa: S603 - runs the interpreter of TVM's environment

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.tvm import environment

PROGRAM = """
import sys, time
from tvm.target import Target
tag, seconds = sys.argv[1], float(sys.argv[2])
Target(tag)
count, start = 0, time.perf_counter()
while time.perf_counter() - start < seconds:
    for _ in range(100):
        Target(tag)
    count += 100
print(count / (time.perf_counter() - start))
"""


def interpreter() -> Path | None:
    """Return the interpreter of TVM's environment; None if it is not installed."""
    folder = environment.find()
    return environment.interpreter(folder) if folder.exists() else None


def rate(python: Path, tag: str, seconds: int) -> float:
    """Return the look-ups of a tag per second."""
    command = [str(python), "-c", PROGRAM, tag, str(seconds)]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return float(output)
