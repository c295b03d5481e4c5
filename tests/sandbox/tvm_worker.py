"""The process that runs TVM under strace: `tests/tvm/worker.py`, with a mark before each target."""

import os
from typing import Any

import worker  # type: ignore[import-not-found, unused-ignore]  # of tests/tvm

MARKER = "/target-tag-registry-job/"


def compile_text(number: int, target: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """Generate code for what a text in the format `tvm` says, in a process that may crash."""
    os.access(f"{MARKER}{number}", os.F_OK)
    result: dict[str, Any] = worker.generate(target, config)
    return result


def end() -> None:
    """Mark the end."""
    os.access(f"{MARKER}end", os.F_OK)


if __name__ == "__main__":
    worker.FUNCTIONS |= {"compile_text": compile_text, "end": end}
    worker.main()
