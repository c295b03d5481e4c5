"""Derive fields from the schemas of kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from registry.domain.body_form.fields import Field, Widget
from registry.domain.kinds.hardware import ALL
from registry.domain.kinds.kinds import (
    COMMON_OPTIONS,
    COMPONENTS,
    FLOW,
    HARDWARE,
    Kind,
    Kinds,
    Option,
)
from registry.domain.kinds.schema import DEFS, resolve_ref
from ttag_rules.flow_names import current_name
from ttag_rules.pointer import ROOT, child

HOST = "/host"
HOST_KIND = "llvm"  # nearly every host is one, so its options are fields; others need JSON

NAMES = re.compile(r"\^\(?([\w-]+(?:\|[\w-]+)*)\)?\$")  # a pattern that is a list of names
WIDGET_OF_TYPE = {
    "boolean": Widget.SWITCH,
    "integer": Widget.INTEGER,
    "number": Widget.NUMBER,
    "string": Widget.TEXT,
}


@dataclass(frozen=True, slots=True)
class SchemaFields:
    """The fields of a body, by the part of the kinds that describes them; empty without it."""

    own: tuple[Field, ...]  # options of the kind that not every target has
    common: tuple[Field, ...]
    host: Mapping[str, Field]  # options of a host, by name
    components: tuple[Field, ...]  # executor and runtime
    component_options: tuple[Field, ...]
    flow: tuple[Field, ...]
    hardware: tuple[Field, ...]


def schema_fields(kinds: Kinds, word: str) -> SchemaFields:
    """Return the fields of a target of a kind, or of an unknown kind."""
    kind = kinds.targets.get(word)
    components = {role: kinds.components(role) for role in sorted(COMPONENTS)}
    flow, hardware = (
        option_fields(kinds[name], child(ROOT, name)) if name in kinds else {}
        for name in (FLOW, HARDWARE)
    )
    common = option_fields(Kind("target", 0, {}), ROOT)
    return SchemaFields(
        own=own_fields(kind) if kind else (),
        common=tuple(common[name] for name in COMMON_OPTIONS),
        host=option_fields(kinds.targets[HOST_KIND], HOST) if HOST_KIND in kinds.targets else {},
        components=tuple(_component(role, kinds) for role, kinds in components.items()),
        component_options=tuple(
            field for role, kinds in components.items() for field in _component_options(role, kinds)
        ),
        flow=tuple(field for name, field in flow.items() if current_name(name) == name),
        hardware=tuple(hardware.values()),
    )


def own_fields(kind: Kind) -> tuple[Field, ...]:
    """Return the fields of a kind's options without those that every target has."""
    fields = option_fields(kind, ROOT)
    return tuple(field for name, field in fields.items() if name not in COMMON_OPTIONS)


def option_fields(kind: Kind, pointer: str, only_in: tuple[str, ...] = ()) -> dict[str, Field]:
    """Return a field for each option of a kind, by name, for values below a pointer."""
    return {
        name: _field(child(pointer, name), name, kind, schema, only_in)
        for name, schema in kind.schema["properties"].items()
        if name != "kind"
    }


def _component(role: str, kinds: Mapping[str, Kind]) -> Field:
    described = {"enum": sorted(kinds), "description": f"The {role} of the compiled model."}
    consumer = "graph-executor" if role == "executor" else role
    return Field(child(ROOT, role), role, Widget.COMPONENT, described, (consumer,))


def _component_options(role: str, kinds: Mapping[str, Kind]) -> Iterator[Field]:
    """Yield the options of all executors or runtimes; as JSON if their types differ."""
    fields: dict[str, Field] = {}
    for word, kind in sorted(kinds.items()):
        for name, field in option_fields(kind, child(ROOT, role), (word,)).items():
            first = fields.get(name, field)
            has_same_type = first.widget is field.widget and first.choices == field.choices
            only_in = (word,) if name not in fields else (*first.only_in, word)
            widget = field.widget if has_same_type else Widget.JSON
            fields[name] = replace(first, widget=widget, only_in=only_in)
    yield from fields.values()


def _field(
    pointer: str, name: str, kind: Kind, schema: Mapping[str, Any], only_in: tuple[str, ...]
) -> Field:
    option, resolved = Option.of(name, schema), _resolve(schema)
    field = Field(
        pointer=pointer,
        label=name,
        widget=widget_of(resolved),
        schema=resolved,
        consumers=tuple(sorted(option.consumers)),
        affects_tuning=option.affects_tuning,
        is_required=name in kind.schema["required"],
        only_in=only_in,
    )
    return replace(field, members=tuple(_member_fields(field)))


def _member_fields(field: Field) -> Iterator[Field]:
    """Yield a field for each named member of an object; none for other values."""
    if field.schema.get("type") != "object" or field.widget is Widget.NAMED_LINES:
        return
    for name, schema in members(field.schema):
        resolved = {"x-unit": field.unit} | _resolve(schema)
        yield replace(
            field,
            pointer=child(field.pointer, name),
            label=name,
            widget=widget_of(resolved),
            schema=resolved,
            is_required=False,
            only_in=(),
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
