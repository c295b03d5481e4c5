"""Code for NVIDIA's GPUs: cubins, and fatbins of cubins and PTX.

NVIDIA publishes neither the flags of cubins nor the entries of fatbins. What is read here is what
`ptxas` and `fatbinary` of CUDA 12.9 and 13 write, and `cuobjdump` shows of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from struct import Struct

from ttag.errors import FileError
from ttag.inspect.elf import ElfFile
from ttag.inspect.programs import Form, Program, whole

MACHINE = "EM_CUDA"
SECTION = ".nv_fatbin"  # what the driver loads; __nv_relfatbin is for linkers
FATBIN = Struct("<4sHHQ")  # magic, version, size of this header, size of the entries
FATBIN_MAGIC = bytes.fromhex("50ed55ba")
ENTRY = Struct("<HHIQIIHHIIIQ")  # kind, ?, header, size, 4 of text, architecture, ?, ?, flags
PTX, CUBIN = 1, 2
ARCH_SPECIFIC, FAMILY_SPECIFIC = 1 << 20, 1 << 21  # of an entry: sm_90a, sm_100f
MAX_ENTRIES = 100_000

NEW_ABI = 8  # of cubins from CUDA 13 on, and of Blackwell
ACCELERATED_OLD = 0x800  # in the flags of older cubins: sm_90a
TOOL_NOTE = ".note.nv.tkinfo"  # the command line of ptxas
ARCH_OPTION = re.compile(rb"-arch[= ]sm_([0-9]{2,3}[af]?)\b")


def read_cubin(file: ElfFile, place: str) -> Program:
    """Return what a cubin was compiled for."""
    return Program(place, Form.CUBIN, _cubin_body(_architecture(file)), is_complete=True)


def read_fatbins(data: bytes, place: str) -> Iterator[Program]:
    """Yield the cubins and PTX of a section. Raises `FileError` if it is damaged."""
    view = memoryview(data)  # slices of it copy nothing
    position = data.find(FATBIN_MAGIC)
    count = 0
    while position >= 0:
        _, _, header, size = FATBIN.unpack(whole(view, position, FATBIN.size, place))
        entries = whole(view, position + header, size, place)
        for kind, architecture in _entries(entries, place):
            count += 1
            if count > MAX_ENTRIES:
                raise FileError(f"{place} has more than {MAX_ENTRIES} parts.")
            if kind == CUBIN:
                yield Program(place, Form.CUBIN, _cubin_body(architecture), is_complete=True)
            elif kind == PTX:
                body = {"kind": "nvptx", "mcpu": f"sm_{architecture}"}
                yield Program(place, Form.PTX, body, is_complete=True)
        position = data.find(FATBIN_MAGIC, position + header + size)


def _entries(data: memoryview, place: str) -> Iterator[tuple[int, str]]:
    """Yield the kind and the architecture of each entry of a fatbin."""
    position = 0
    while position < len(data):
        fields = ENTRY.unpack(whole(data, position, ENTRY.size, place))
        kind, header, size, architecture, flags = (fields[place] for place in (0, 2, 3, 8, 11))
        suffix = "f" if flags & FAMILY_SPECIFIC else "a" if flags & ARCH_SPECIFIC else ""
        yield kind, f"{architecture}{suffix}"
        position += max(header + size, ENTRY.size)


def _architecture(file: ElfFile) -> str:
    """Return the number of an architecture with its suffix: `90a`.

    Cubins of CUDA 13 name the suffix only where their note repeats the command line.
    """
    if file.abi_version < NEW_ABI:
        suffix = "a" if file.flags & ACCELERATED_OLD else ""
        return f"{file.flags & 0xFF}{suffix}"
    number = str(file.flags >> 8 & 0xFF)
    match = ARCH_OPTION.search(file.section(TOOL_NOTE))
    stated = match[1].decode() if match else ""
    return stated if stated.rstrip("af") == number else number


def _cubin_body(architecture: str) -> dict[str, str]:
    return {"kind": "cuda", "arch": f"sm_{architecture}"}
