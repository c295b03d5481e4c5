"""The real programs that read what formats write."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

NUMBERED = re.compile(r"clang-([0-9]+)")
ARM, X86_64, HEXAGON, AARCH64, RISCV = 40, 62, 164, 183, 243  # ELF's numbers for machines
MOST_SHOWN = 2000  # characters of what a tool said, in a failed test


def tool(*names: str, folders: str = "") -> str:
    """Return the path of the first program of these that is installed, or skip the test.

    Looks in `folders` too, written like PATH, for programs that only root has on the path.
    """
    path = os.pathsep.join([*os.get_exec_path(), *filter(None, [folders])])
    for name in names:
        if program := shutil.which(name, path=path):
            return program
    pytest.skip(f"not installed: {' or '.join(names)}")


@cache
def clang() -> str:
    """The path of the newest clang."""
    return tool(*numbered_clangs(os.get_exec_path()), "clang")


def numbered_clangs(folders: Iterable[str]) -> list[str]:
    """The names of the clangs in these folders that carry a number, newest first."""
    names = {name for folder in folders for name in files_in(folder) if NUMBERED.fullmatch(name)}
    return sorted(names, key=lambda name: -int(name.removeprefix("clang-")))


def files_in(folder: str) -> list[str]:
    """The names in a folder; none where it is missing, or not this user's to read."""
    try:
        return [path.name for path in Path(folder).iterdir()]
    except OSError:
        return []


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
