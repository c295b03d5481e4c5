"""Object files of all formats that LLVM writes: format, architecture and calling convention."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from ttag.tvm.artefacts.elf import MAGIC, read_elf

ELF, COFF, MACH_O, WASM = "ELF", "COFF", "Mach-O", "WebAssembly"
MACH_O_MAGIC = {b"\xce\xfa\xed\xfe": "<", b"\xcf\xfa\xed\xfe": "<", b"\xfe\xed\xfa\xce": ">"}
# Architectures by the numbers of the formats: IMAGE_FILE_MACHINE_*, CPU_TYPE_*.
COFF_MACHINES: Mapping[int, str] = {
    0x014C: "i386",
    0x01C4: "arm",
    0x8664: "x86_64",
    0xA641: "aarch64",  # arm64ec
    0xAA64: "aarch64",
}
CPU_TYPES: Mapping[int, str] = {
    7: "i386",
    12: "arm",
    18: "powerpc",
    0x01000007: "x86_64",
    0x0100000C: "aarch64",
    0x0200000C: "aarch64_32",
}


@dataclass(frozen=True, slots=True)
class ObjectFile:
    """An object file. `float_abi` and `cpu` are empty if the format does not state them."""

    format: str
    architecture: str
    float_abi: str = ""
    cpu: str = ""


def read_object(data: bytes) -> ObjectFile:
    """Return what an object file states about itself. Raises `ValueError` for other bytes."""
    if data.startswith(MAGIC):
        elf = read_elf(data)
        return ObjectFile(ELF, elf.architecture, elf.float_abi, elf.cpu)
    if data.startswith(b"\0asm"):
        return ObjectFile(WASM, "wasm32")
    if order := MACH_O_MAGIC.get(data[:4]):
        return ObjectFile(MACH_O, _numbered(CPU_TYPES, data, f"{order}4xI"))
    return ObjectFile(COFF, _numbered(COFF_MACHINES, data, "<H"))


def _numbered(names: Mapping[int, str], data: bytes, form: str) -> str:
    try:
        (number,) = struct.unpack_from(form, data)
    except struct.error as error:
        raise ValueError(f"{len(data)} bytes are no object file") from error
    if number not in names:
        raise ValueError(f"no object file of a known format: it begins with {data[:8].hex()}")
    return names[number]
