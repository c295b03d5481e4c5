"""Derive fields from a kind's schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from registry.domain.body_form.fields import Field, Widget
from registry.domain.kinds.hardware import ALL
from registry.domain.kinds.kinds import Kind, Option
from registry.domain.kinds.schema import DEFS, resolve_ref
from registry.domain.pointer import child

NAMES = re.compile(r"\^\(?([\w-]+(?:\|[\w-]+)*)\)?\$")  # a pattern that is a list of names
WIDGET_OF_TYPE = {
    "boolean": Widget.SWITCH,
    "integer": Widget.INTEGER,
    "number": Widget.NUMBER,
    "string": Widget.TEXT,
}


def option_fields(kind: Kind, pointer: str, only_in: tuple[str, ...] = ()) -> dict[str, Field]:
    """Return a field for each option of a kind, by name, for values below a pointer."""
    return {
        name: _field(child(pointer, name), name, kind, schema, only_in)
        for name, schema in kind.schema["properties"].items()
        if name != "kind"
    }


def member_fields(field: Field) -> Iterator[Field]:
    """Yield a field for each named member of an object; none for other values."""
    if field.schema.get("type") != "object" or field.widget is Widget.NAMED_LINES:
        return
    for name, schema in members(field.schema):
        resolved = {"x-unit": field.unit} | _resolve(schema)
        yield Field(
            child(field.pointer, name),
            name,
            widget_of(resolved),
            resolved,
            field.consumers,
            field.affects_tuning,
        )


def _field(
    pointer: str, name: str, kind: Kind, schema: Mapping[str, Any], only_in: tuple[str, ...]
) -> Field:
    option, resolved = Option.of(name, schema), _resolve(schema)
    return Field(
        pointer=pointer,
        label=name,
        widget=widget_of(resolved),
        schema=resolved,
        consumers=tuple(sorted(option.consumers)),
        affects_tuning=option.affects_tuning,
        is_required=name in kind.schema["required"],
        only_in=only_in,
    )


def widget_of(schema: Mapping[str, Any]) -> Widget:
    """Return the widget for values of a schema; JSON if nothing simpler is possible."""
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return Widget.CHOICE if all(map(_is_plain, values)) else Widget.JSON
    if schema.get("type") == "object":
        return Widget.NAMED_LINES if _has_named_lines(schema) else Widget.JSON
    if schema.get("type") == "array":
        return _list_widget(_resolve(schema.get("items", {})))
    kind = schema.get("type")
    return WIDGET_OF_TYPE.get(kind, Widget.JSON) if isinstance(kind, str) else Widget.JSON


def _list_widget(items: Mapping[str, Any]) -> Widget:
    if items.get("type") == "integer":
        return Widget.INTEGERS
    if items.get("type") != "string":
        return Widget.JSON
    return Widget.LINES if items.get("pattern") == DEFS["url"]["pattern"] else Widget.LIST


def _has_named_lines(schema: Mapping[str, Any]) -> bool:
    """Return whether every member is a list of lines, and one is called `all`."""
    widgets = {name: widget_of(_resolve(member)) for name, member in members(schema)}
    return ALL in widgets and set(widgets.values()) == {Widget.LINES}


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float) and value != ""


def _resolve(schema: Any) -> dict[str, Any]:
    """Return a schema with its reference resolved."""
    if not isinstance(schema, dict):
        return {}
    keywords = {keyword: value for keyword, value in schema.items() if keyword != "$ref"}
    return {**resolve_ref(schema), **keywords}


def members(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the names of an object's members that its schema lists, with their schemas."""
    yield from schema.get("properties", {}).items()
    for pattern, inner in schema.get("patternProperties", {}).items():
        if listed := NAMES.fullmatch(pattern):
            for name in listed[1].split("|"):
                yield name, inner
