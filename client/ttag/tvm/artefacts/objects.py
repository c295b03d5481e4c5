"""Object files of all formats that LLVM writes: format, architecture and calling convention."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ttag.tvm.artefacts.attributes import read_attributes

MAGIC = b"\x7fELF"
HEADER = struct.Struct("16sHHI")
# Architectures by machine number, by class (32 or 64 bits) and order of bytes.
MACHINES: Mapping[tuple[int, int, str], str] = {
    (3, 32, "little"): "i386",
    (8, 32, "little"): "mipsel",
    (8, 32, "big"): "mips",
    (8, 64, "little"): "mips64el",
    (8, 64, "big"): "mips64",
    (20, 32, "big"): "powerpc",
    (20, 32, "little"): "powerpcle",
    (21, 64, "big"): "powerpc64",
    (21, 64, "little"): "powerpc64le",
    (22, 64, "big"): "s390x",
    (40, 32, "big"): "armeb",
    (40, 32, "little"): "arm",
    (43, 64, "big"): "sparcv9",
    (62, 32, "little"): "x86_64",  # the ABI x32
    (62, 64, "little"): "x86_64",
    (164, 32, "little"): "hexagon",
    (183, 32, "little"): "aarch64",  # the ABI ilp32
    (183, 64, "big"): "aarch64_be",
    (183, 64, "little"): "aarch64",
    (224, 64, "little"): "amdgcn",
    (243, 32, "little"): "riscv32",
    (243, 64, "little"): "riscv64",
    (258, 32, "little"): "loongarch32",
    (258, 64, "little"): "loongarch64",
}
ARM, RISCV = ("arm", "armeb"), ("riscv32", "riscv64")
LOONGARCH = ("loongarch32", "loongarch64")
ATTRIBUTES, VENDOR = ".ARM.attributes", "aeabi"
CPU_NAME, VFP_ARGUMENTS, IN_REGISTERS = 5, 28, 1  # Tag_CPU_name, Tag_ABI_VFP_args
# The registers for floating-point arguments: bits of e_flags.
RISCV_FLOAT = {0: "soft", 2: "single", 4: "double", 6: "quad"}
LOONGARCH_FLOAT = {1: "soft", 2: "single", 3: "double"}
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
        try:
            return _elf(data)
        except (IndexError, struct.error, UnicodeDecodeError) as error:
            raise ValueError(f"the ELF file is malformed ({error})") from error
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


def _elf(data: bytes) -> ObjectFile:
    """Read an ELF file. Raises errors of several types if it is cut off or malformed."""
    bits = {1: 32, 2: 64}[data[4]] if data[4] in (1, 2) else 0
    order: Literal["little", "big"] = "big" if data[5] == 2 else "little"
    prefix = ">" if order == "big" else "<"
    _, _, machine, _ = struct.unpack_from(f"{prefix}{HEADER.format}", data)
    (flags,) = struct.unpack_from(f"{prefix}I", data, 36 if bits == 32 else 48)
    architecture = MACHINES.get((machine, bits, order), f"machine {machine} of {bits} bits")
    if architecture in RISCV:
        return ObjectFile(ELF, architecture, RISCV_FLOAT[flags & 6])
    if architecture in LOONGARCH:
        return ObjectFile(ELF, architecture, LOONGARCH_FLOAT.get(flags & 7, ""))
    if architecture not in ARM:
        return ObjectFile(ELF, architecture)
    tags: Mapping[int, int | str] = {}
    for name, content in _sections(data, bits, prefix):
        if name == ATTRIBUTES:
            tags = read_attributes(content, order).get(VENDOR, {})
    float_abi = "hard" if tags.get(VFP_ARGUMENTS) == IN_REGISTERS else "soft"
    return ObjectFile(ELF, architecture, float_abi, str(tags.get(CPU_NAME, "")))


def _sections(data: bytes, bits: int, prefix: str) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the sections of an ELF file."""
    if bits == 32:
        (start,) = struct.unpack_from(f"{prefix}I", data, 32)
        size, count, names = struct.unpack_from(f"{prefix}HHH", data, 46)
        form = f"{prefix}10I"
    else:
        (start,) = struct.unpack_from(f"{prefix}Q", data, 40)
        size, count, names = struct.unpack_from(f"{prefix}HHH", data, 58)
        form = f"{prefix}IIQQQQIIQQ"
    rows = [struct.unpack_from(form, data, start + size * index) for index in range(count)]
    if not rows:
        return
    table = data[rows[names][4] : rows[names][4] + rows[names][5]]
    for row in rows:
        end = table.index(b"\0", row[0])
        yield table[row[0] : end].decode(), data[row[4] : row[4] + row[5]]
