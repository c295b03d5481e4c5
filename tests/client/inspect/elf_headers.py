"""ELF files of a header and sections, and the device code that tools put into sections."""

import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQIIQQ")
CUDA, AMDGPU, X86_64, AARCH64 = 190, 224, 62, 183


def elf(
    machine: int,
    *,
    flags: int = 0,
    abi_version: int = 0,
    sections: Mapping[str, bytes] | None = None,
) -> bytes:
    """Return a little-endian ELF file of 64 bits."""
    contents = {"": b"", **(sections or {})}
    names = b"\0" + b"".join(name.encode() + b"\0" for name in [*contents, ".shstrtab"] if name)
    contents[".shstrtab"] = names
    body, headers = b"", b""
    for index, (name, content) in enumerate(contents.items()):
        kind = 0 if index == 0 else 3 if name == ".shstrtab" else 1
        place = names.find(b"\0" + name.encode() + b"\0") + 1 if name else 0
        offset = HEADER.size + len(body)
        headers += SECTION.pack(place, kind, 0, 0, offset, len(content), 0, 0, 1, 0)
        body += content
    ident = b"\x7fELF\x02\x01\x01\x41" + bytes([abi_version]) + bytes(7)
    start = HEADER.size + len(body)
    count = len(contents)
    header = HEADER.pack(
        ident, 3, machine, 1, 0, 0, start, flags, HEADER.size, 56, 0, SECTION.size, count, count - 1
    )
    return header + body + headers


def fatbin(entries: Iterable[tuple[int, int, int]]) -> bytes:
    """Return a fatbin of entries: kind, architecture and flags."""
    parts = b"".join(
        struct.pack("<HHIQIIHHIIIQ16x", kind, 0x101, 64, 8, 0, 0, 8, 1, architecture, 0, 0, flags)
        + bytes(8)
        for kind, architecture, flags in entries
    )
    return struct.pack("<4sHHQ", bytes.fromhex("50ed55ba"), 1, 16, len(parts)) + parts


def bundle(names: Sequence[str]) -> bytes:
    """Return a bundle of clang with empty code for each name."""
    entries = b"".join(struct.pack("<QQQ", 0, 0, len(name)) + name.encode() for name in names)
    return b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(names)) + entries


def compressed(content: bytes, version: int = 3, method: int = 0) -> bytes:
    """Return a bundle as clang compresses it; by zlib, whatever method it states."""
    packed = zlib.compress(content)
    sizes = {1: "<IQ", 2: "<IIQ"}.get(version, "<QQQ")
    size = struct.calcsize(sizes) + 8 + len(packed)
    numbers = [len(content), 0] if version == 1 else [size, len(content), 0]
    return struct.pack("<4sHH", b"CCOB", version, method) + struct.pack(sizes, *numbers) + packed
