"""Build attributes in object files: `.ARM.attributes` and `.riscv.attributes`.

Sections of both have one layout (Addenda to the ABI for the Arm Architecture, 2.2): a version,
then for each vendor a length, a name and subsections of tags with numbers or texts as values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

VERSION = b"A"
FILE = 1  # the subsection for the whole file
# Tags whose values are texts, by vendor. Above 32, odd tags are texts and even ones numbers.
TEXTS: Mapping[str, frozenset[int]] = {"aeabi": frozenset({4, 5, 32, 65, 67}), "riscv": frozenset()}
BOTH = 32  # Tag_compatibility of Arm: a number, then a text


def read_attributes(
    section: bytes, order: Literal["little", "big"]
) -> dict[str, dict[int, int | str]]:
    """Return the tags of a whole file, by vendor. Raises `ValueError` for another layout."""
    if section[:1] != VERSION:
        raise ValueError("build attributes have another version than A")
    vendors: dict[str, dict[int, int | str]] = {}
    for content in _blocks(section[1:], 0, order):
        vendor, end = _text(content, 0)
        vendors[vendor] = {}
        for block in _blocks(content[end:], 1, order):
            if block[0] == FILE:
                vendors[vendor] |= dict(_tags(block[5:], vendor))
    return vendors


def _blocks(content: bytes, before: int, order: Literal["little", "big"]) -> Iterator[bytes]:
    """Yield the blocks whose length stands after some bytes, which it counts too."""
    start = 0
    while start < len(content):
        length = int.from_bytes(content[start + before : start + before + 4], order)
        if length < before + 4 or start + length > len(content):
            raise ValueError("a length in the build attributes is wrong")
        yield content[start : start + length] if before else content[start + 4 : start + length]
        start += length


def _tags(content: bytes, vendor: str) -> Iterator[tuple[int, int | str]]:
    place = 0
    while place < len(content):
        tag, place = _number(content, place)
        if tag == BOTH and vendor == "aeabi":
            _, place = _number(content, place)
        value: int | str
        read = _text if _is_text(tag, vendor) else _number
        value, place = read(content, place)
        yield tag, value


def _is_text(tag: int, vendor: str) -> bool:
    has_parity = vendor == "riscv" or tag > BOTH
    return tag in TEXTS.get(vendor, ()) or (has_parity and tag % 2 == 1)


def _number(content: bytes, place: int) -> tuple[int, int]:
    """Return a number in LEB128, and the place after it."""
    value = shift = 0
    while True:
        if place >= len(content):
            raise ValueError("the build attributes end within a number")
        byte = content[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place


def _text(content: bytes, place: int) -> tuple[str, int]:
    end = content.find(b"\0", place)
    if end < 0:
        raise ValueError("the build attributes end within a text")
    return content[place:end].decode(), end + 1
