"""One JSON Schema for whole bodies, built from all kinds, for validation in editors.

It describes the form of a body. Only the registry itself checks whether references exist, the
result of overrides and the rules across options.
"""

from __future__ import annotations

from typing import Any

from registry.domain.kinds.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, Kind, Kinds
from registry.domain.kinds.schema import DEFS, DIALECT
from registry.domain.resolution.merging import MAX_PARENTS
from ttag_rules.nodes import APPEND, COMPOSITES, REMOVE

NAME = "body"  # reserved: the schema is listed among the kinds under this name

Schema = dict[str, Any]
REFERENCE: Schema = {"type": "string", "pattern": "/", "maxLength": 255}


# Decision 008: one schema covers whole bodies, because components are kinds too.
def build_body_schema(kinds: Kinds) -> Schema:
    """Build the schema of the bodies that are valid under these kinds."""
    return {
        "$schema": DIALECT,
        "title": "A target's body",
        "description": "A kind with its options, a parent with overrides, or a mixin's patch.",
        "type": "object",
        "if": {"anyOf": [{"required": ["kind"]}, {"required": ["tag"]}]},
        "then": _ref("object"),
        "else": _ref("patch"),
        "$defs": DEFS | _shapes(kinds) | {_key(kind): _definition(kind) for kind in kinds.values()},
    }


def _shapes(kinds: Kinds) -> Schema:
    return {
        "target": {
            "anyOf": [
                {"title": "a reference", **REFERENCE},
                {"title": "a kind's name", "enum": sorted(kinds.targets)},
                _ref("object"),
            ]
        },
        "object": {
            "type": "object",
            "if": {"required": ["tag"]},
            "then": _ref("heir"),
            "else": _one_of(kinds.targets),
        },
        "heir": _heir(kinds),
        "patch": _patch(kinds),
        "devices": {
            "anyOf": [
                {"type": "array", "items": _ref("target")},
                {"type": "object", "additionalProperties": _ref("target")},
            ]
        },
        EXECUTOR: _component(kinds.executors),
        RUNTIME: _component(kinds.runtimes),
    }


def _definition(kind: Kind) -> Schema:
    """Return a kind's schema; for a node, including its host, devices and components."""
    schema = {key: value for key, value in kind.schema.items() if key not in ("$schema", "$defs")}
    if kind.role != "target":
        return schema
    structure = {name: _ref(name) for name in (EXECUTOR, RUNTIME, FLOW, HARDWARE)}
    structure["host"] = _ref("target")
    if kind.word in COMPOSITES:
        structure["devices"] = _ref("devices")
        schema["required"] = [*schema["required"], "devices"]
    return {**schema, "properties": {**schema["properties"], **structure}}


def _one_of(kinds: dict[str, Kind]) -> Schema:
    """Return the schema of an object whose `kind` selects its schema."""
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": sorted(kinds)}},
        "allOf": [
            {"if": {"properties": {"kind": {"const": word}}}, "then": _ref(_key(kind))}
            for word, kind in sorted(kinds.items())
        ],
    }


def _component(kinds: dict[str, Kind]) -> Schema:
    return {"anyOf": [{"enum": sorted(kinds)}, _one_of(kinds)]}


def _heir(kinds: Kinds) -> Schema:
    """Return the schema of a body with a parent, optionally mixins, and overrides."""
    parents = {"type": "array", "items": REFERENCE, "minItems": 1, "maxItems": MAX_PARENTS}
    patch = _patch(kinds)
    return {**patch, "properties": {"tag": {"anyOf": [REFERENCE, parents]}, **patch["properties"]}}


def _patch(kinds: Kinds) -> Schema:
    """Return the schema of a patch: any option of any kind, changed, edited or removed."""
    options: Schema = {}
    for kind in kinds.targets.values():
        for name, schema in kind.schema["properties"].items():
            options.setdefault(name, [])
            if name != "kind" and schema not in options[name]:
                options[name].append(schema)
    options.pop("kind", None)
    edited = {name: {"anyOf": [*schemas, _edit(), NOTHING]} for name, schemas in options.items()}
    object_schemas = {name: {"anyOf": [{"type": "object"}, NOTHING]} for name in (FLOW, HARDWARE)}
    component_schemas = {
        name: {"anyOf": [{"type": "object"}, {"enum": sorted(components)}, NOTHING]}
        for name, components in ((EXECUTOR, kinds.executors), (RUNTIME, kinds.runtimes))
    }
    host = {"anyOf": [_ref("target"), _ref("patch"), NOTHING]}
    device_schemas = [_ref("devices"), {"type": "object"}, NOTHING]
    return {
        "type": "object",
        "properties": edited
        | object_schemas
        | component_schemas
        | {"host": host, "devices": {"anyOf": device_schemas}},
        "additionalProperties": False,
    }


NOTHING: Schema = {"title": "removed", "type": "null"}


def _edit() -> Schema:
    return {
        "title": "a list edited in place",
        "type": "object",
        "properties": {APPEND: {"type": "array"}, REMOVE: {"type": "array"}},
        "additionalProperties": False,
        "minProperties": 1,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _key(kind: Kind) -> str:
    """Return a definition's name without slashes: `kind.llvm`, `executor.aot`, `flow`."""
    prefix = "kind." if kind.role == "target" else ""
    return prefix + kind.name.replace("/", ".")
