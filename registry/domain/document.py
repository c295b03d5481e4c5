"""Parse JSON strictly; serialize it canonically (RFC 8785) and compute digests.

Limits are checked before the parser runs, so that no text, however nested or long, is slow or
crashes.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, NoReturn, TypeAlias

import orjson
import rfc8785

from registry.domain.errors import Code, Fault, Refused, TextPosition, echo, refuse_all
from ttag_rules.pointer import child

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MAX_BYTES = 64 * 1024  # of a body; the largest real one has a few KiB
MAX_NESTING = 96  # composites nest 16 deep with up to 4 levels of JSON each; leaves room
MAX_TOKEN = 2048  # characters of one string or number; the longest legal option string has 256
LONGEST_INTEGER = 20  # characters; a longer one is out of range, and slow to convert exactly
MAX_INTEGER = 2**53 - 1  # beyond it IEEE doubles, and so most JSON readers, lose digits

TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+|"', re.DOTALL)
LIMITED = re.compile(TOKEN.pattern.replace("{}:,]|", "{}]|", 1), re.DOTALL)  # without : and ,
COMMENT = re.compile(r"\s*(//|/\*|#)")
TRAILING = re.compile(r",\s*([}\]])")
SORTED = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER  # refuses what is beyond 2^53-1
WITHOUT_FLOATS = frozenset({str, int, bool, type(None)})
LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def parse_json(
    data: bytes | str, *, max_bytes: int = MAX_BYTES, max_token: int = MAX_TOKEN
) -> Json:
    """Parse JSON strictly: UTF-8, no duplicate keys, only numbers that every parser reads alike.

    Raises `Refused` with TOO_LARGE, TOO_DEEP or JSON_INVALID.
    """
    text = _decode(data, max_bytes)
    _check_limits(text, MAX_NESTING, max_token)
    value = _loads(text)
    refuse_all(_violations(value, ""))
    return value


def split_members(data: bytes | str, *, max_bytes: int) -> dict[str, str]:
    """Split a JSON object into the text of each of its members, exactly as written.

    Used for the request around a body, so that the limits and pointers of the body start at the
    body. The members still have to be parsed. Raises `Refused` as `parse_json` does.
    """
    text = _decode(data, max_bytes)
    _check_limits(text, MAX_NESTING + 1, max_bytes)
    if not isinstance(_loads(text), dict):
        _invalid("expected a JSON object")
    texts: dict[str, str] = {}
    depth, start = 0, 0
    key: str | None = None
    for match in TOKEN.finditer(text):
        token = match.group()
        if depth == 1 and token in ",}" and key is not None:
            if key in texts:
                _invalid(f"the key {echo(key)} occurs twice")
            texts[key] = text[start : match.start()].strip()
            key = None
        depth += (token in "[{") - (token in "]}")
        if depth == 1 and token == ":":
            start = match.end()
        elif depth == 1 and key is None and token[0] == '"':
            key = json.loads(token)
    return texts


def canonical(value: Json) -> bytes:
    """Return the canonical bytes of a JSON value (RFC 8785).

    Without floats and with ASCII keys only, orjson writes the same bytes many times faster.
    """
    try:
        text = orjson.dumps(value, option=SORTED)
    except orjson.JSONEncodeError:
        return rfc8785.dumps(value)
    return text if _is_simple(value) else rfc8785.dumps(value)


def _is_simple(value: Json) -> bool:
    """Return whether orjson writes a value canonically; false if in doubt."""
    if isinstance(value, dict):
        return "".join(value).isascii() and _are_simple(value.values())
    return _are_simple(value if isinstance(value, list) else (value,))


def _are_simple(values: Collection[Json]) -> bool:
    for value in values:
        if type(value) in WITHOUT_FLOATS:
            continue
        if not isinstance(value, dict | list) or not _is_simple(value):
            return False
    return True


def digest(data: bytes) -> str:
    """Return the digest of canonical bytes: `sha256:` and 64 hexadecimal digits."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def is_same_json(left: Json, right: Json) -> bool:
    """Return whether two JSON values are equal: `true` is not `1`, but `1.0` is `1`."""
    is_text = isinstance(left, str | bool | None) or isinstance(right, str | bool | None)
    if is_text or (type(left) is int and type(right) is int):
        return type(left) is type(right) and left == right
    return canonical(left) == canonical(right)


def _decode(data: bytes | str, max_bytes: int) -> str:
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise Refused(
            Code.TOO_LARGE, f"{size} bytes of JSON are too many: at most {max_bytes} are read."
        )
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        _invalid(f"byte {error.start} is not UTF-8")


def _check_limits(text: str, max_nesting: int, max_token: int) -> None:
    depth = 0
    for match in LIMITED.finditer(text):
        token = match.group()
        if token == '"':
            sentence = f"a string that begins at character {match.start()} does not end"
            _invalid(sentence, TextPosition.from_offset(text, match.start()))
        if len(token) > max_token:
            _invalid(
                f"a string or number at character {match.start()} has {len(token)} characters: "
                f"at most {max_token} are read",
                TextPosition.from_offset(text, match.start()),
            )
        depth += (token in "[{") - (token in "]}")
        if depth > max_nesting:
            raise Refused(
                Code.TOO_DEEP,
                f"Brackets nest more than {MAX_NESTING} deep at character {match.start()}.",
                place=TextPosition.from_offset(text, match.start()),
            )


def _loads(text: str) -> Json:
    try:
        value: Json = json.loads(text, object_pairs_hook=_object, parse_int=_integer)
    except json.JSONDecodeError as error:
        problem, character = _syntax_problem(text, error)
        place = TextPosition.from_offset(text, character)
        _invalid(f"{problem} at line {place.line}, column {place.column}", place)
    return value


def _syntax_problem(text: str, error: json.JSONDecodeError) -> tuple[str, int]:
    """Describe a syntax error and its offset; name common ones such as comments."""
    if comment := COMMENT.match(text, error.pos):
        return f"a comment ({comment[1]}), which JSON does not have,", comment.start(1)
    comma = len(text[: error.pos].rstrip()) - 1  # the parser stops after the comma, or at it
    trailing = TRAILING.match(text, max(comma, 0)) or TRAILING.match(text, error.pos)
    if trailing:
        return f"a comma before {trailing[1]}, where JSON has none,", trailing.start()
    return error.msg, error.pos


class _Object(dict[str, Json]):
    """A parsed object with its duplicate keys."""

    duplicates: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    marked = _Object(value)
    counts = Counter(name for name, _ in pairs)
    marked.duplicates = tuple(name for name, count in counts.items() if count > 1)
    return marked


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= LONGEST_INTEGER else float(text)


def _violations(value: Json, pointer: str) -> Iterator[Fault]:
    match value:
        case dict():
            for name in getattr(value, "duplicates", ()):
                yield _fault(child(pointer, name), f"the key {echo(name)} occurs twice", "one key")
            for name, item in value.items():
                yield from _text_violations(name, pointer)
                yield from _violations(item, child(pointer, name))
        case list():
            for index, item in enumerate(value):
                yield from _violations(item, child(pointer, index))
        case str():
            yield from _text_violations(value, pointer)
        case float() if not math.isfinite(value):
            yield _fault(pointer, "the number is not finite", "a finite number")
        case float() | int() if abs(value) > MAX_INTEGER and float(value).is_integer():
            yield _fault(pointer, f"{value} is beyond ±(2^53-1)", f"at most {MAX_INTEGER}")


def _text_violations(text: str, pointer: str) -> Iterator[Fault]:
    if LONE_SURROGATE.search(text):
        yield _fault(pointer, "the text has half of a surrogate pair", "Unicode text")
    elif "\0" in text:
        yield _fault(pointer, "the text has the character U+0000", "text without U+0000")


def _fault(pointer: str, message: str, expected: str) -> Fault:
    pointer = pointer.encode("utf-8", "replace").decode()  # keys may contain lone surrogates
    return Fault(pointer, Code.JSON_INVALID, message, expected)


def _invalid(sentence: str, place: TextPosition | None = None) -> NoReturn:
    detail = f"Invalid JSON: {sentence}."
    raise Refused(Code.JSON_INVALID, detail, place=place)
