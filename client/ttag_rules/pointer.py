"""JSON pointers (RFC 6901), and natural sort order."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

ROOT = ""
DIGITS = re.compile(r"[0-9]+")
END, LAST = "\0\0", "\U0010ffff"  # sort before and after any other character


class PointerUnknown(LookupError):
    """A pointer that is malformed (RFC 6901) or points to nothing in the document."""


def child(pointer: str, token: str | int) -> str:
    """Extend a pointer by one reference token."""
    text = str(token)
    if "~" in text or "/" in text:
        text = text.replace("~", "~0").replace("/", "~1")
    return f"{pointer}/{text}"


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


@lru_cache(maxsize=1024)  # most pointers occur in many targets
def natural_key(text: str) -> str:
    """Return a sort key that puts `machine2` before `machine10`, and is unique for each text."""
    prefix, slash, token = text.rpartition("/")
    return f"{_encode(prefix)}{_encode_digits(slash + token)}{END}{text}"


@lru_cache(maxsize=64)  # the parents of the pointers that are sorted, which come in order
def _encode(prefix: str) -> str:
    return _encode_digits(prefix)


def _encode_digits(text: str) -> str:
    """Write each number so that comparing texts compares numbers, and puts them after letters."""
    text = text.replace("\1", "\1\2").replace("\0", "\1\1")  # 0 marks numbers and the end
    return DIGITS.sub(_encode_number, f"{LAST}{text}" if DIGITS.match(text) else text)


def _encode_number(match: re.Match[str]) -> str:
    digits = match[0].lstrip("0")
    return f"\0{chr(len(digits) + 1)}{digits}"  # a longer number is a larger one
