"""CMake configures and builds with the exported toolchain files."""

import json
import os
import platform
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from registry.domain.formats.cmake import FORMAT
from registry.domain.toolchains.clang_flags import clang_flags
from tests.compilers import tools
from tests.domain.formats.machines import machine, machines
from tests.skips import OTHER_PROCESSOR

PROJECT = """\
cmake_minimum_required(VERSION 3.16)
project(tiny LANGUAGES {languages})
add_library(tiny STATIC {files})
"""
FILES = {
    "C": ("add.c", "int add(int a, int b) { return a + b; }\n"),
    "CXX": ("sub.cpp", 'extern "C" int sub(int a, int b) { return a - b; }\n'),
    "ASM": ("empty.S", ".text\n"),
}
LINUX_ARM = {"kind": "llvm", "mtriple": "armv7l-linux-gnueabihf", "mcpu": "cortex-a7"}
# Cross-compiling needs a linker and libraries, which these tests do not have.
UNLINKED = "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"

MACHINES: list[tuple[dict[str, Any], int]] = [
    ({"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell"}, tools.X86_64),
    ({**LINUX_ARM, "mattr": ["+neon", "+vfp4"], "mfloat-abi": "hard"}, tools.ARM),
    ({"kind": "c", "mcpu": "cortex-m7"}, tools.ARM),
    ({"kind": "llvm", "mtriple": "riscv64-unknown-elf", "mcpu": "sifive-u74"}, tools.RISCV),
]


@dataclass
class Project:
    """A folder with a CMake project, and a PATH where clang has this name."""

    folder: Path
    path: str

    def build(
        self, toolchain: str, *arguments: str, languages: str = "C", **environment: str
    ) -> list[dict[str, str]]:
        """Build a library of one file per language; return the compile commands."""
        sources = [FILES[language] for language in languages.split()]
        files = " ".join(name for name, _ in sources)
        (self.folder / "CMakeLists.txt").write_text(
            PROJECT.format(languages=languages, files=files)
        )
        for name, text in sources:
            (self.folder / name).write_text(text)
        (self.folder / "toolchain.cmake").write_text(toolchain)
        variables = {key: text for key, text in os.environ.items() if key not in ("CC", "CXX")}
        variables |= {"PATH": self.path, **environment}
        cmake = tools.tool("cmake")
        tools.run(
            cmake,
            "-S",
            ".",
            "-B",
            "build",
            "-G",
            "Unix Makefiles",
            *arguments,
            "-DCMAKE_TOOLCHAIN_FILE=toolchain.cmake",
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
            cwd=self.folder,
            env=variables,
        )
        tools.run(cmake, "--build", "build", cwd=self.folder, env=variables)
        commands: list[dict[str, str]] = json.loads(
            (self.folder / "build/compile_commands.json").read_text()
        )
        return commands


@pytest.fixture
def project(tmp_path: Path) -> Project:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "clang").symlink_to(tools.clang())
    (programs / "clang++").symlink_to(tools.clang())
    folder = tmp_path / "project"
    folder.mkdir()
    return Project(folder, f"{programs}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize(("body", "elf"), MACHINES, ids=range(len(MACHINES)))
def test_library_is_for_the_machine(body: dict[str, Any], elf: int, project: Project) -> None:
    is_bare = "linux" not in body.get("mtriple", "")
    text = FORMAT.write(machine(body)).text
    (compiled,) = project.build(text, *([] if is_bare else [UNLINKED]))
    assert list(tools.machines_of(project.folder / "build/libtiny.a")) == [elf]
    assert set(clang_flags(machine(body)).words) <= set(shlex.split(compiled["command"]))


def test_every_language_is_compiled_with_the_flags(project: Project) -> None:
    subject = machines()["raspberry-pi/4b-aarch64@1.0.0"]
    commands = project.build(FORMAT.write(subject).text, UNLINKED, languages="C CXX ASM")
    assert len(commands) == 3
    for compiled in commands:
        words = shlex.split(compiled["command"])
        assert {"--target=aarch64-linux-gnu", "aarch64-linux-gnu"} & set(words)
        assert "-mcpu=cortex-a72" in words
        assert words[words.index("-target-feature") + 2] == "+neon"
    assert set(tools.machines_of(project.folder / "build/libtiny.a")) == {tools.AARCH64}


def test_native_build_links(project: Project) -> None:
    if platform.machine() != "x86_64":
        pytest.skip(f"{OTHER_PROCESSOR}: it is not x86-64")
    subject = machine({"kind": "llvm", "mcpu": "haswell"})
    (compiled,) = project.build(FORMAT.write(subject).text)
    assert "-march=haswell" in shlex.split(compiled["command"])


@pytest.mark.parametrize("source", ["argument", "environment"])
def test_explicit_compiler_is_kept(source: str, project: Project) -> None:
    compiler = project.folder / "my-clang"
    compiler.symlink_to(tools.clang())
    arguments = [f"-DCMAKE_C_COMPILER={compiler}"] if source == "argument" else []
    environment = {} if source == "argument" else {"CC": str(compiler)}
    text = FORMAT.write(machine({"kind": "c", "mcpu": "cortex-m7"})).text
    (compiled,) = project.build(text, *arguments, **environment)
    assert shlex.split(compiled["command"])[0] == str(compiler)
