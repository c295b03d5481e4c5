"""JSON pointers (RFC 6901), and natural sort order."""

from __future__ import annotations

import re
from typing import Any

ROOT = ""
DIGITS = re.compile(r"([0-9]+)")


class PointerUnknown(LookupError):
    """A pointer that is malformed (RFC 6901) or points to nothing in the document."""


def child(pointer: str, token: str | int) -> str:
    """Extend a pointer by one reference token."""
    return f"{pointer}/{str(token).replace('~', '~0').replace('/', '~1')}"


def split_pointer(pointer: str) -> list[str]:
    """Split a pointer into its unescaped tokens. Raises `PointerUnknown` if it is malformed."""
    if pointer == ROOT:
        return []
    if not pointer.startswith("/") or re.search(r"~(?![01])", pointer):
        raise PointerUnknown(pointer)
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def look_up(document: Any, pointer: str) -> Any:
    """Return the value at a pointer. Raises `PointerUnknown` if there is none."""
    value = document
    for token in split_pointer(pointer):
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and re.fullmatch(r"0|[1-9][0-9]{0,5}", token):
            if int(token) >= len(value):
                raise PointerUnknown(pointer)
            value = value[int(token)]
        else:
            raise PointerUnknown(pointer)
    return value


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts `machine2` before `machine10`, and is unique for each text."""
    parts = [part for part in DIGITS.split(text) if part]
    numbers = [(1, int(part), "") if DIGITS.fullmatch(part) else (0, 0, part) for part in parts]
    return (*numbers, (-1, 0, text))
