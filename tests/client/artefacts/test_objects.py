"""Object files are read as they are; anything else is an error, never a crash or a guess."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.compilers import tools
from ttag.tvm.artefacts.expectations import expect, object_format
from ttag.tvm.artefacts.objects import ObjectFile, read_object

OBJECTS = [
    ("x86_64-unknown-linux-gnu", ("ELF", "x86_64", "")),
    ("x86_64-unknown-linux-gnux32", ("ELF", "x86_64", "")),
    ("i686-unknown-linux-gnu", ("ELF", "i386", "")),
    ("aarch64-unknown-linux-android", ("ELF", "aarch64", "")),
    ("armv7a-unknown-linux-gnueabihf", ("ELF", "arm", "hard")),
    ("armv7a-unknown-linux-gnueabi", ("ELF", "arm", "soft")),
    ("armebv7a-unknown-linux-gnueabihf", ("ELF", "armeb", "hard")),
    ("riscv64-unknown-linux-gnu", ("ELF", "riscv64", "double")),
    ("riscv32-unknown-unknown-elf", ("ELF", "riscv32", "soft")),
    ("s390x-unknown-linux-gnu", ("ELF", "s390x", "")),
    ("powerpc64le-unknown-linux-gnu", ("ELF", "powerpc64le", "")),
    ("mips64-unknown-linux-gnuabi64", ("ELF", "mips64", "")),
    ("loongarch64-unknown-linux-gnu", ("ELF", "loongarch64", "double")),
    ("hexagon", ("ELF", "hexagon", "")),
    ("x86_64-pc-windows-msvc", ("COFF", "x86_64", "")),
    ("aarch64-pc-windows-msvc", ("COFF", "aarch64", "")),
    ("arm64-apple-macos", ("Mach-O", "aarch64", "")),
    ("x86_64-apple-macos", ("Mach-O", "x86_64", "")),
    ("wasm32-unknown-unknown", ("WebAssembly", "wasm32", "")),
]


def compiled(triple: str, folder: Path, *flags: str) -> bytes:
    source, path = folder / "one.c", folder / "one.o"
    source.write_text("int one(void) { return 1; }\n")
    command = (tools.clang(), f"--target={triple}", "-ffreestanding", *flags, "-c", str(source))
    tools.run(*command, "-o", str(path))
    return path.read_bytes()


@pytest.mark.parametrize(("triple", "facts"), OBJECTS)
def test_objects_of_clang_state_what_they_are(
    triple: str, facts: tuple[str, str, str], tmp_path: Path
) -> None:
    found = read_object(compiled(triple, tmp_path))
    assert (found.format, found.architecture, found.float_abi) == facts
    assert object_format(triple) == facts[0]
    expected = expect({"mtriple": triple})
    assert expected.architecture == facts[1]
    assert expected.float_abi in ("", facts[2])


def test_object_of_arm_names_its_processor(tmp_path: Path) -> None:
    data = compiled("armv7a-unknown-linux-gnueabihf", tmp_path, "-mcpu=cortex-a9")
    assert read_object(data).cpu == "cortex-a9"


def test_object_that_is_cut_off_is_an_error_or_read(tmp_path: Path) -> None:
    data = compiled("armv7a-unknown-linux-gnueabihf", tmp_path)
    for end in range(0, len(data) - 1, 7):
        try:
            found = read_object(data[:end])
        except ValueError:
            continue
        assert found.architecture == "arm"


@given(st.binary(max_size=200) | st.binary(max_size=200).map(b"\x7fELF".__add__))
def test_any_bytes_are_read_or_an_error(data: bytes) -> None:
    with suppress(ValueError):
        assert isinstance(read_object(data), ObjectFile)


@pytest.mark.parametrize(
    ("triple", "expected"),
    [
        ("x86_64-win32", "COFF"),
        ("x86_64-w64-mingw32", "COFF"),
        ("x86_64-pc-windows-elf", "ELF"),
        ("arm64-apple-ios17.0-simulator", "Mach-O"),
        ("x86_64-unknown-none-macho", "Mach-O"),
        ("x86_64-linux-gnu", "ELF"),
        ("hexagon", "ELF"),
        ("wasm32-wasi", "WebAssembly"),
    ],
)
def test_format_of_a_triple_does_not_depend_on_the_order_of_its_components(
    triple: str, expected: str
) -> None:
    assert object_format(triple) == expected


@pytest.mark.parametrize(
    ("options", "float_abi"),
    [
        ({"mtriple": "armv7l-linux-gnueabihf"}, "hard"),
        ({"mtriple": "armv7l-linux-gnueabihf", "mfloat-abi": "soft"}, "soft"),
        ({"mtriple": "armv7l-linux-gnueabi"}, "soft"),
        ({"mtriple": "armv7-apple-ios"}, ""),
        ({"mtriple": "riscv64-unknown-linux-gnu", "mabi": "lp64d"}, "double"),
        ({"mtriple": "riscv64-unknown-linux-gnu", "mabi": "lp64"}, "soft"),
        ({"mtriple": "riscv64-unknown-linux-gnu"}, ""),  # LLVM decides by features
        ({"mtriple": "x86_64-unknown-linux-gnu"}, ""),
        ({}, ""),
    ],
)
def test_float_abi_that_options_promise(options: dict[str, str], float_abi: str) -> None:
    assert expect(options).float_abi == float_abi
