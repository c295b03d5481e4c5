"""Parse and format values of options on a command line, by the types in the kind's schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from registry.domain.document import Json, is_same_json
from registry.domain.errors import echo
from registry.domain.kinds.kinds import EXECUTOR, RUNTIME, Kind, Kinds
from registry.domain.kinds.schema import resolve_ref
from registry.domain.tvm.command_line import COMMA, SPACE, Text, Unreadable, quote_list, quote_word
from registry.domain.tvm.moved_options import owning_kind

DIGITS = re.compile(r" *([+-]?)0*([0-9]+)")  # TVM ignores what follows: 12abc is 12
BOOLEANS = {"true": 1, "false": 0}
MIN_INTEGER, MAX_INTEGER = -(2**63), 2**63 - 1
MAX_DIGITS = 19  # digits of a 64-bit number; converting thousands is slow


def option_schema(name: str, kind: Kind, kinds: Kinds) -> Mapping[str, Any] | None:
    """Return the schema of an option that a kind has or that old targets had, or None."""
    if name in (EXECUTOR, RUNTIME):
        return {"type": "string"}
    described: Mapping[str, Any] = (owning_kind(name, kinds) or kind).schema["properties"]
    return described.get(name)


def parse_option(text: Text, schema: Mapping[str, Any]) -> Json:
    """Parse a text as a value of the schema. Raises `Unreadable`."""
    text = text.unquoted()
    schema = resolve_ref(schema)
    match schema.get("type"):
        case "boolean":
            return bool(_number(text.characters, "boolean"))
        case "integer":
            return _number(text.characters, "integer")
        case "string":
            return text.characters.strip(SPACE)
        case "array":
            return [parse_option(item, schema.get("items", {})) for item in text.split(COMMA)]
        case other:
            message = f"a command line cannot express a value of type {echo(other or 'any')}"
            raise Unreadable("VALUE_TYPE", message, "the JSON form", echo(text.characters))


def format_option(value: Json, schema: Mapping[str, Any]) -> str | None:
    """Return the word that parses as this value, or None if there is none."""
    content = _content(value)
    if content is None:
        return None
    text = quote_word(content)
    try:
        parsed = parse_option(Text.of(text), schema)
    except Unreadable:
        return None
    return text if is_same_json(parsed, value) else None


def _content(value: Json) -> str | None:
    match value:
        case bool() | int():
            return str(int(value))
        case str():
            return value
        case list():
            items = [content for item in value if (content := _content(item)) is not None]
            return quote_list(items) if len(items) == len(value) else None
    return None


def _number(text: str, expected: str) -> int:
    if text.strip(SPACE).lower() in BOOLEANS:
        return BOOLEANS[text.strip(SPACE).lower()]
    match = DIGITS.match(text)
    if not match:
        actual = echo(text) or "an empty text"
        raise Unreadable("VALUE_TYPE", f"{actual} is not of type {expected}", expected, actual)
    sign, digits = match.groups()
    number = int(sign + digits) if len(digits) <= MAX_DIGITS else MAX_INTEGER + 1
    if not MIN_INTEGER <= number <= MAX_INTEGER:
        message = f"{echo(text)} is beyond 64 bits"
        raise Unreadable("VALUE_RANGE", message, f"{MIN_INTEGER} to {MAX_INTEGER}", echo(text))
    return number
