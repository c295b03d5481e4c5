"""Writes JSON for readers: what fits on a line stands on one line."""

from __future__ import annotations

import json

from registry.domain.document import Json

WIDTH = 100  # columns
INDENT = "  "
_line = json.JSONEncoder(ensure_ascii=False).encode


def layout(value: Json, indent: str = "", offset: int = 0) -> str:
    """Return a value as JSON, with at most `WIDTH` columns where possible.

    `indent` is the margin of its lines, `offset` the number of columns before its first. Objects
    and lists that do not fit into the rest of the line have a line for each member, unless all
    that they hold is one value.
    """
    line = _line(value)
    if len(line) + max(offset, len(indent)) < WIDTH or _is_one_value(value):
        return line
    inner = indent + INDENT
    if isinstance(value, dict):
        members = (_member(key, item, inner) for key, item in value.items())
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if isinstance(value, list):
        items = (inner + layout(item, inner) for item in value)
        return "[\n" + ",\n".join(items) + f"\n{indent}]"
    return line


def _is_one_value(value: Json) -> bool:
    """Return whether a value holds at most one number or text, at any depth."""
    if isinstance(value, dict):
        value = [*value.values()]
    return not isinstance(value, list) or not value or (len(value) == 1 and _is_one_value(value[0]))


def _member(key: str, value: Json, indent: str) -> str:
    start = f"{indent}{_line(key)}: "
    return start + layout(value, indent, len(start))
