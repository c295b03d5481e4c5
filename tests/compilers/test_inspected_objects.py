# ruff: noqa: E501 - tables read best in rows
"""`ttag inspect` reads from objects what real compilers were told."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.compilers import tools
from ttag.inspect.amd import PROCESSORS
from ttag.inspect.inspecting import inspect
from ttag.inspect.programs import Program

SOURCE = "double twice(double value) { return value + value; }\n"
OBJECTS: list[tuple[str, dict[str, Any], bool]] = [
    ("--target=x86_64-linux-gnu -march=haswell", {"mtriple": "x86_64-unknown-unknown", "mcpu": "x86-64"}, False),
    ("--target=x86_64-linux-gnux32", {"mtriple": "x86_64-unknown-unknown-gnux32", "mcpu": "x86-64"}, False),
    ("--target=aarch64-linux-gnu -march=armv9-a", {"mtriple": "aarch64-unknown-unknown"}, False),
    ("--target=armv7a-linux-gnueabihf -mfpu=neon", {"mtriple": "armv7-unknown-unknown-eabihf", "mattr": ["+vfp3", "+neon"]}, True),
    ("--target=armv6-linux-gnueabihf -mfpu=vfp", {"mtriple": "armv6-unknown-unknown-eabihf", "mattr": ["+vfp2"]}, True),
    ("--target=armv7a-linux-gnueabi -mfloat-abi=soft", {"mtriple": "armv7-unknown-unknown-eabi"}, True),
    ("--target=thumbv7em-none-eabihf -mcpu=cortex-m4", {"mtriple": "armv7em-unknown-unknown-eabihf", "mattr": ["+vfp4d16"]}, True),
    ("--target=thumbv7m-none-eabi -mcpu=cortex-m3", {"mtriple": "armv7m-unknown-unknown-eabi"}, True),
    ("--target=riscv32-none-elf -march=rv32imc -mabi=ilp32", {"mtriple": "riscv32-unknown-unknown", "mcpu": "generic-rv32", "mabi": "ilp32", "mattr": ["+m", "+c", "+zmmul", "+zca"]}, True),
    ("--target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d", {"mtriple": "riscv64-unknown-unknown", "mcpu": "generic-rv64", "mabi": "lp64d", "mattr": ["+m", "+a", "+f", "+d", "+c", "+zicsr", "+zifencei", "+zmmul", "+zaamo", "+zalrsc", "+zca", "+zcd"]}, True),
    ("--target=s390x-linux-gnu", {"mtriple": "s390x-unknown-unknown"}, False),
    ("--target=powerpc64le-linux-gnu", {"mtriple": "powerpc64le-unknown-unknown"}, False),
]  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "twice.c"
    path.write_text(SOURCE)
    return path


def compiled(program: str, source: Path, *flags: str) -> list[Program]:
    target = source.with_suffix(".o")
    tools.run(program, *flags, "-c", str(source), "-o", str(target))
    return list(inspect(target).programs)


@pytest.mark.parametrize(("flags", "body", "is_complete"), OBJECTS)
def test_objects_state_what_the_compiler_was_told(
    source: Path, flags: str, body: dict[str, Any], is_complete: bool
) -> None:
    (program,) = compiled(tools.clang(), source, *flags.split())
    assert program.body == {"kind": "llvm", **body}
    assert program.is_complete == is_complete


@pytest.mark.parametrize(
    ("flags", "level", "unstated"),
    [
        (["-march=x86-64-v3", "-mneeded"], "x86-64-v3", "which instructions"),
        (["-march=x86-64-v2", "-mneeded"], "x86-64-v2", "which instructions"),
        (["-march=x86-64-v3"], "x86-64", "which instructions"),
        (["-O2", "-march=x86-64-v3", "-Wa,-mx86-used-note=yes"], "x86-64", "it has instructions of x86-64-v3"),
    ],
)  # fmt: skip
def test_marks_of_the_assembler_are_read(
    source: Path, flags: list[str], level: str, unstated: str
) -> None:
    (program,) = compiled(tools.tool("gcc"), source, *flags)
    assert program.body["mcpu"] == level
    assert program.unstated.startswith(unstated)
    assert not program.is_complete


def test_programs_name_their_c_library_and_the_least_version_of_it() -> None:
    (program,) = inspect(Path(tools.tool("env"))).programs
    assert program.body["mtriple"].endswith("-linux-gnu")
    assert re.fullmatch(r"2\.[0-9]+(\.[0-9]+)?", program.floors["glibc"])


def test_code_objects_of_all_processors_are_read(source: Path) -> None:
    source.write_text("int value;\n")  # old GPUs have no calls
    clang = tools.clang()
    listing = subprocess.run(
        [clang, "--target=amdgcn-amd-amdhsa", "-print-supported-cpus"],
        capture_output=True,
        text=True,
        check=True,
    )
    processors = re.findall(r"^\t(gfx\S+)$", listing.stderr, re.MULTILINE)
    assert processors
    if tools.clang_version() >= 22:
        assert set(PROCESSORS.values()) <= set(processors)
    for processor in set(processors) & set(PROCESSORS.values()):
        flags = ("--target=amdgcn-amd-amdhsa", f"-mcpu={processor}")
        (program,) = compiled(clang, source, *flags)
        assert program.body == {"kind": "rocm", "mcpu": processor}


@pytest.mark.parametrize("mode", ["xnack+", "xnack-", "sramecc+:xnack-"])
def test_code_objects_state_their_modes(source: Path, mode: str) -> None:
    (program,) = compiled(
        tools.clang(), source, "--target=amdgcn-amd-amdhsa", f"-mcpu=gfx90a:{mode}"
    )
    stated = {f"{each[-1]}{each[:-1]}" for each in mode.split(":")}
    assert set(program.body["mattr"]) == stated
