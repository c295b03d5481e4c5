"""How a build hands a text to clang, CMake and IREE, in a folder that holds bait."""

# Decision 102: compilers run in a sandbox on what liars send.

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.compilers import tools
from tests.sandbox.recorder import Job

C = "int scale(int x) { return 2 * x; }\n"
MLIR = """\
func.func @add(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %sum = arith.addi %a, %b : tensor<4xi32>
  return %sum : tensor<4xi32>
}
"""
BUILD = """\
include(toolchain.cmake)
separate_arguments(flags UNIX_COMMAND "${CMAKE_C_FLAGS_INIT}")
if(CMAKE_C_COMPILER_TARGET)
  list(PREPEND flags "--target=${CMAKE_C_COMPILER_TARGET}")
endif()
execute_process(
  COMMAND "${CMAKE_C_COMPILER}" ${flags} -c k.c -o k.o COMMAND_ERROR_IS_FATAL ANY)
"""
# Harmless files under names that hostile texts use, as in a checkout of somebody else's sources.
BAIT = {
    "evil.cfg": "-DEVIL\n",
    "evil.txt": "-DEVIL\n",
    "evil.h": "#define EVIL\n",
    "evil.so": "",
    "evil.cmake": "set(EVIL 1)\n",
    "evil.mlir": MLIR,
    "evil/linux-gnu.cfg": "-DEVIL\n",
    "x86_64-a/evil-linux-gnu.cfg": "-DEVIL\n",
}


@dataclass(frozen=True)
class Compiler:
    """A compiler, the format that it reads, and the job that gives it a text."""

    name: str
    form: str
    command: Callable[[str], tuple[str, ...]]
    inputs: Mapping[str, str]
    text_file: str = ""  # the name under which the text is written, if the compiler reads a file

    def job(self, text: str, work: Path, number: int) -> Job:
        """Prepare a folder, and return the job that compiles in it."""
        folder = work / str(number)
        for name, content in {**BAIT, **self.inputs}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content)
        if self.text_file:
            (folder / self.text_file).write_text(text, newline="", errors="surrogateescape")
        return Job(self.command(text), folder)


def with_clang(text: str) -> tuple[str, ...]:
    """Return clang's command line: a shell splits what `$(ttag resolve ...)` prints at spaces."""
    return (tools.clang(), *text.split(), "-c", "k.c", "-o", "k.o")


def with_cmake(text: str) -> tuple[str, ...]:
    """Return the command that builds as a project does, less the ten times that CMake tries out."""
    return (tools.tool("cmake"), f"-DCMAKE_C_COMPILER={tools.clang()}", "-P", "build.cmake")


def with_iree(text: str) -> tuple[str, ...]:
    return (iree_compile(), *text.split(), "add.mlir", "-o", "add.vmfb")


@cache
def iree_compile() -> str:
    """Return the program of the package, which its command would start by way of Python."""
    path: str = pytest.importorskip("iree.compiler.tools.binaries").find_tool("iree-compile")
    return path


CLANG = Compiler("clang", "clang", with_clang, {"k.c": C})
CMAKE = Compiler("cmake", "cmake", with_cmake, {"k.c": C, "build.cmake": BUILD}, "toolchain.cmake")
IREE = Compiler("iree-compile", "iree", with_iree, {"add.mlir": MLIR})
COMPILERS = (CLANG, CMAKE, IREE)


def environment(work: Path) -> dict[str, str]:
    """Return the environment of a build: no configuration of the user, a temporary folder."""
    for name in ("home", "temporary"):
        (work / name).mkdir(exist_ok=True)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(work / "home"),
        "TMPDIR": str(work / "temporary"),
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
