"""Code objects for AMD's GPUs, alone or in bundles, by LLVM's user guide of its AMDGPU back end."""

from __future__ import annotations

from collections.abc import Iterator

from ttag.errors import FileError
from ttag.inspect.bundles import NotRead, bundled
from ttag.inspect.elf import ElfFile
from ttag.inspect.programs import Body, Form, Program

MACHINE = "EM_AMDGPU"
SECTIONS = (".hip_fatbin", ".hipFatBinSegment")
HOST = "host"

# The numbers of processors in the flags of the header.
PROCESSORS = {
    0x20: "gfx600",
    0x21: "gfx601",
    0x3A: "gfx602",
    0x22: "gfx700",
    0x23: "gfx701",
    0x24: "gfx702",
    0x25: "gfx703",
    0x26: "gfx704",
    0x3B: "gfx705",
    0x28: "gfx801",
    0x29: "gfx802",
    0x2A: "gfx803",
    0x3C: "gfx805",
    0x2B: "gfx810",
    0x2C: "gfx900",
    0x2D: "gfx902",
    0x2E: "gfx904",
    0x2F: "gfx906",
    0x30: "gfx908",
    0x31: "gfx909",
    0x3F: "gfx90a",
    0x32: "gfx90c",
    0x4C: "gfx942",
    0x4F: "gfx950",
    0x33: "gfx1010",
    0x34: "gfx1011",
    0x35: "gfx1012",
    0x42: "gfx1013",
    0x36: "gfx1030",
    0x37: "gfx1031",
    0x38: "gfx1032",
    0x39: "gfx1033",
    0x3E: "gfx1034",
    0x3D: "gfx1035",
    0x45: "gfx1036",
    0x41: "gfx1100",
    0x46: "gfx1101",
    0x47: "gfx1102",
    0x44: "gfx1103",
    0x43: "gfx1150",
    0x4A: "gfx1151",
    0x55: "gfx1152",
    0x58: "gfx1153",
    0x48: "gfx1200",
    0x4E: "gfx1201",
    0x49: "gfx1250",
    0x5A: "gfx1251",
    0x51: "gfx9-generic",
    0x52: "gfx10-1-generic",
    0x53: "gfx10-3-generic",
    0x54: "gfx11-generic",
    0x59: "gfx12-generic",
    0x5F: "gfx9-4-generic",
}
# Two bits for each feature, of which 2 is off and 3 is on; others say that it does not matter.
FEATURES = {"xnack": 8, "sramecc": 10}
SIGNS = {2: "-", 3: "+"}


def read_code_object(file: ElfFile, place: str) -> Program:
    """Return what a code object was compiled for. Raises `FileError` for an unknown processor."""
    number = file.flags & 0xFF
    processor = PROCESSORS.get(number)
    if not processor:
        raise FileError(f"{place} is for an AMD GPU of the unknown number {number:#x}.")
    signs = {name: SIGNS.get(file.flags >> shift & 3) for name, shift in FEATURES.items()}
    features = [f"{sign}{name}" for name, sign in signs.items() if sign]
    return Program(place, Form.CODE_OBJECT, _body(processor, features), is_complete=True)


def read_section(section: bytes, place: str) -> Iterator[Program | str]:
    """Yield the code objects of a section of bundles, and a note for each that is not read.

    Raises `FileError` if one is damaged.
    """
    for part in bundled(section, place):
        if isinstance(part, NotRead):
            yield str(part)
        elif program := _program(part, place):
            yield program


def _program(name: str, place: str) -> Program | None:
    """Return the program of `hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-`; None for a host."""
    kind, _, identity = name.partition("-")
    if kind == HOST or "amdgcn" not in identity:
        return None
    processor, *settings = identity.rpartition("--")[2].split(":")
    features = [f"{setting[-1]}{setting[:-1]}" for setting in settings if setting]
    return Program(place, Form.CODE_OBJECT, _body(processor, features), is_complete=True)


def _body(processor: str, features: list[str]) -> Body:
    return {"kind": "rocm", "mcpu": processor} | ({"mattr": features} if features else {})
