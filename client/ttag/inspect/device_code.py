"""Sections of device code, which may end before what they claim to have."""

from __future__ import annotations

from ttag.errors import FileError


def whole(content: memoryview, start: int, size: int, place: str) -> memoryview:
    """Return so many bytes of a section. Raises `FileError` if it has fewer."""
    if start + size > len(content):
        raise FileError(f"{place} ends within its device code.")
    return content[start : start + size]
