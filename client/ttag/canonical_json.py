"""Canonical JSON (RFC 8785), the bytes that digests cover."""

from __future__ import annotations

import hashlib
import json
import re
from decimal import Decimal
from math import isfinite
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

# ECMAScript writes numbers from 1e-6 to below 1e21 without an exponent.
MAX_POINT = 21
MIN_POINT = -6
# JSON itself only escapes the controls of ASCII. Separators, halves of surrogate pairs and all that
# Unicode calls format characters (Cf) show nothing themselves: they move, reorder or join others.
HIDDEN = re.compile(
    r"[\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    r"\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)


def canonical(value: Json) -> bytes:
    """Return the canonical bytes of a JSON value. Raises `ValueError` for NaN and infinity."""
    return _text(value).encode()


def digest_of(data: bytes) -> str:
    """Return the digest of bytes: `sha256:` and 64 hexadecimal digits."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values are the same JSON: 1 is not true."""
    return canonical(one) == canonical(other)


def escaped(text: str) -> str:
    """Return the text of JSON in which no character can rewrite a terminal or reorder a line."""
    return HIDDEN.sub(lambda hidden: escape_of(hidden[0]), text)


def escape_of(character: str) -> str:
    """Return a character as JSON may escape it: one beyond U+FFFF by its two halves."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[start : start + 2].hex()}" for start in range(0, len(units), 2))


def _text(value: Json) -> str:
    match value:
        case dict():
            members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
            return "{" + ",".join(f"{_string(key)}:{_text(item)}" for key, item in members) + "}"
        case list():
            return "[" + ",".join(map(_text, value)) + "]"
        case str():
            return _string(value)
        case float():
            return _number(value)
        case _:
            return json.dumps(value)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    """Return a number as ECMAScript writes it: the shortest digits that give it back."""
    if not isfinite(value):
        raise ValueError(f"{value} is not JSON")
    if value == 0:
        return "0"
    sign, digit_tuple, exponent = Decimal(repr(value)).as_tuple()
    assert isinstance(exponent, int)  # noqa: S101 - finite, as checked above
    digits = "".join(map(str, digit_tuple))
    point = len(digits) + exponent  # the position of the decimal point, counted from the left
    digits = digits.rstrip("0")
    minus = "-" if sign else ""
    if MIN_POINT < point <= 0:
        return f"{minus}0.{'0' * -point}{digits}"
    if 0 < point <= MAX_POINT:
        whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
        return f"{minus}{whole}.{fraction}" if fraction else f"{minus}{whole}"
    mantissa = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    return f"{minus}{mantissa}e{point - 1:+d}"
