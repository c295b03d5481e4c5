"""One JSON Schema for whole bodies, made from all kinds: for editors, which complete and underline.

It says what a body may look like. Whether references exist, what an override results in and the
rules across options are for the registry to check.
"""

from __future__ import annotations

from typing import Any

from registry.domain.composition import APPEND, COMPOSITES, REMOVE
from registry.domain.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, Kind, Kinds
from registry.domain.merging import MAX_PARENTS
from registry.domain.schema import DEFS, DIALECT

NAME = "body"  # under which it stands among the kinds; no kind may have it

Schema = dict[str, Any]
REFERENCE: Schema = {"type": "string", "pattern": "/", "maxLength": 255}


def of(kinds: Kinds) -> Schema:
    """The schema of everything that can be published under these kinds."""
    return {
        "$schema": DIALECT,
        "title": "A target's body",
        "description": "A kind with its options, a parent with overrides, or a mixin's patch.",
        "type": "object",
        "if": {"anyOf": [{"required": ["kind"]}, {"required": ["tag"]}]},
        "then": _ref("object"),
        "else": _ref("patch"),
        "$defs": DEFS | _shapes(kinds) | {_key(kind): _whole(kind) for kind in kinds.values()},
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


def _whole(kind: Kind) -> Schema:
    """A node or component of a kind, with what the registry structures where it is a node."""
    kept = {key: value for key, value in kind.schema.items() if key not in ("$schema", "$defs")}
    if kind.role != "target":
        return kept
    structure = {name: _ref(name) for name in (EXECUTOR, RUNTIME, FLOW, HARDWARE)}
    structure["host"] = _ref("target")
    if kind.word in COMPOSITES:
        structure["devices"] = _ref("devices")
        kept["required"] = [*kept["required"], "devices"]
    return {**kept, "properties": {**kept["properties"], **structure}}


def _one_of(kinds: dict[str, Kind]) -> Schema:
    """An object whose `kind` decides which schema it has."""
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": sorted(kinds)}},
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": word}}},
                "then": _ref(_key(kind)),
            }
            for word, kind in sorted(kinds.items())
        ],
    }


def _component(kinds: dict[str, Kind]) -> Schema:
    return {"anyOf": [{"enum": sorted(kinds)}, _one_of(kinds)]}


def _heir(kinds: Kinds) -> Schema:
    """A parent, or one and mixins, and overrides beside them."""
    parents = {"type": "array", "items": REFERENCE, "minItems": 1, "maxItems": MAX_PARENTS}
    patch = _patch(kinds)
    return {**patch, "properties": {"tag": {"anyOf": [REFERENCE, parents]}, **patch["properties"]}}


def _patch(kinds: Kinds) -> Schema:
    """Any option of any kind, changed, edited or removed."""
    options: Schema = {}
    for kind in kinds.targets.values():
        for name, schema in kind.schema["properties"].items():
            options.setdefault(name, [])
            if name != "kind" and schema not in options[name]:
                options[name].append(schema)
    options.pop("kind", None)
    edited = {name: {"anyOf": [*schemas, _edit(), NOTHING]} for name, schemas in options.items()}
    loose = {name: {"anyOf": [{"type": "object"}, NOTHING]} for name in (FLOW, HARDWARE)}
    worded = {
        name: {"anyOf": [{"type": "object"}, {"enum": sorted(known)}, NOTHING]}
        for name, known in ((EXECUTOR, kinds.executors), (RUNTIME, kinds.runtimes))
    }
    host = {"anyOf": [_ref("target"), _ref("patch"), NOTHING]}
    places = [_ref("devices"), {"type": "object"}, NOTHING]
    return {
        "type": "object",
        "properties": edited | loose | worded | {"host": host, "devices": {"anyOf": places}},
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
    """A definition's name: `kind.llvm`, `executor.aot`, `flow`; a pointer would escape a slash."""
    prefix = "kind." if kind.role == "target" else ""
    return prefix + kind.name.replace("/", ".")
