"""The real compilers and build tools that read exported formats."""

# Decision 035: formats are tested with the real compilers.

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.patience import PATIENCE

NUMBERED = re.compile(r"clang-([0-9]+)")
LLVM_HELP = re.compile(r"^  (\S+) +- ", re.MULTILINE)
# The triples by which LLVM is asked for its names, by architecture.
LLVM_TRIPLES = {
    **{name: name for name in ("x86_64", "aarch64", "riscv64", "hexagon", "nvptx64", "amdgcn")},
    **{name: name for name in ("powerpc64le", "wasm32", "mips64", "loongarch64")},
    "arm": "armv7",
    "systemz": "s390x",
}
ARM, X86_64, HEXAGON, AARCH64, RISCV = 40, 62, 164, 183, 243  # ELF machine numbers
MAX_OUTPUT = 2000  # characters of a tool's output in a failure


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
    """Return the path of the newest clang, or skip the test."""
    return tool(*numbered_clangs(os.get_exec_path()), "clang")


def numbered_clangs(folders: Iterable[str]) -> list[str]:
    """Return the names of the versioned clangs in these folders, newest first."""
    names = {name for folder in folders for name in files_in(folder) if NUMBERED.fullmatch(name)}
    return sorted(names, key=lambda name: -int(name.removeprefix("clang-")))


def files_in(folder: str) -> list[str]:
    """Return the names in a folder; none if it is missing or unreadable."""
    try:
        return [path.name for path in Path(folder).iterdir()]
    except OSError:
        return []


@cache
def clang_version() -> int:
    """Return the major version of the newest clang."""
    match = re.search(r"version ([0-9]+)", run(clang(), "--version"))
    assert match
    return int(match[1])


def llvm_names(program: str, triple: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the processors and features that clang's assembler lists; it may fail afterwards."""
    command = [program, "-cc1as", "-triple", triple, "-target-feature", "+help"]
    result = subprocess.run(
        [*command, "-filetype", "null", "/dev/null"], capture_output=True, text=True, check=False
    )
    cpus, _, features = result.stderr.partition("Available features for this target:")
    return frozenset(LLVM_HELP.findall(cpus)), frozenset(LLVM_HELP.findall(features))


def iree_compile() -> str:
    """Return the path of IREE's compiler, which comes with the test requirements."""
    from iree.compiler.tools import binaries  # type: ignore[import-untyped, unused-ignore] # noqa: PLC0415

    return str(binaries.find_tool("iree-compile"))


def run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Run a program and return its output. Fail the test if the program fails."""
    result = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert result.returncode == 0, f"{command}: {(result.stdout + result.stderr)[-MAX_OUTPUT:]}"
    return result.stdout


def machines_of(path: Path) -> Iterator[int]:
    """Yield the ELF machine number of every object in a file or an archive."""
    content = path.read_bytes()
    for match in re.finditer(rb"\x7fELF[\x01\x02]\x01", content):
        start = match.start() + 18  # e_machine, two bytes, little-endian
        yield int.from_bytes(content[start : start + 2], "little")
