"""The real programs that read what formats write."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

NUMBERED = re.compile(r"clang-([0-9]+)")
ARM, X86_64, HEXAGON, AARCH64, RISCV = 40, 62, 164, 183, 243  # ELF's numbers for machines
MOST_SHOWN = 2000  # characters of what a tool said, in a failed test


def tool(*names: str) -> str:
    """The path of the first program of these that is installed; without one the test is skipped."""
    found = next(filter(None, map(shutil.which, names)), None)
    if not found:
        pytest.skip(f"not installed: {' or '.join(names)}")
    return found


def clang() -> str:
    """The path of the newest clang."""
    return tool(*_clangs(), "clang")


@cache
def _clangs() -> tuple[str, ...]:
    folders = map(Path, os.get_exec_path())
    names = {path.name for folder in folders if folder.is_dir() for path in folder.glob("clang-*")}
    numbered = [name for name in names if NUMBERED.fullmatch(name)]
    return tuple(sorted(numbered, key=lambda name: -int(name.removeprefix("clang-"))))


@cache
def clang_version() -> int:
    """The newest clang's number."""
    found = re.search(r"version ([0-9]+)", run(clang(), "--version"))
    assert found
    return int(found[1])


def run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """What a program prints; it must succeed."""
    done = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, f"{command}: {(done.stdout + done.stderr)[-MOST_SHOWN:]}"
    return done.stdout


def machines_of(path: Path) -> Iterator[int]:
    """ELF's number for the machine, of every object in a file or an archive."""
    content = path.read_bytes()
    for found in re.finditer(rb"\x7fELF[\x01\x02]\x01", content):
        start = found.start() + 18  # e_machine, two bytes, the least first
        yield int.from_bytes(content[start : start + 2], "little")
