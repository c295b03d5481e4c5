"""JSON pointers (RFC 6901) and the order in which people expect names to stand."""

from __future__ import annotations

import re
from typing import Any

ROOT = ""
DIGITS = re.compile(r"([0-9]+)")


class PointerUnknown(LookupError):
    """The pointer is not of RFC 6901's form, or leads nowhere in the document."""


def child(pointer: str, token: str | int) -> str:
    """Extend a pointer by one reference token."""
    return f"{pointer}/{str(token).replace('~', '~0').replace('/', '~1')}"


def tokens(pointer: str) -> list[str]:
    """Split a pointer into its unescaped tokens. Raises `PointerUnknown` where it is malformed."""
    if pointer == ROOT:
        return []
    if not pointer.startswith("/") or re.search(r"~(?![01])", pointer):
        raise PointerUnknown(pointer)
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def look_up(document: Any, pointer: str) -> Any:
    """Return the value that a pointer names. Raises `PointerUnknown` where there is none."""
    value = document
    for token in tokens(pointer):
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and re.fullmatch(r"0|[1-9][0-9]{0,5}", token):
            if int(token) >= len(value):
                raise PointerUnknown(pointer)
            value = value[int(token)]
        else:
            raise PointerUnknown(pointer)
    return value


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key under which `machine2` comes before `machine10`; no two texts share one."""
    parts = [part for part in DIGITS.split(text) if part]
    numbers = [(1, int(part), "") if DIGITS.fullmatch(part) else (0, 0, part) for part in parts]
    return (*numbers, (-1, 0, text))
