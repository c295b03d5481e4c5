"""TVM's conversions of values to the type of an option."""

from __future__ import annotations

from registry.domain.document import Json
from registry.domain.kinds.kinds import Kind, Kinds
from registry.domain.kinds.schema import resolve_ref
from registry.domain.tvm.moved_options import owning_kind


def convert_value(value: Json, json_type: str) -> Json:
    """Convert a value to a JSON type as TVM 0.27 does.

    Integers convert to booleans and booleans to 0 or 1. Other values are returned unchanged.
    """
    if json_type == "boolean" and isinstance(value, int):
        return bool(value)
    if json_type == "integer" and isinstance(value, bool):
        return int(value)
    return value


def option_type(word: Json, name: str, kinds: Kinds) -> str:
    """Return the JSON type of a node's option; empty if it is unknown or has several types.

    If the node inherits its kind, the option is looked up in all kinds.
    """
    for kind in _kinds_with(word, name, kinds):
        schema = kind.schema["properties"].get(name)
        if schema is not None:
            type_name = resolve_ref(schema).get("type")
            return type_name if isinstance(type_name, str) else ""
    return ""


def _kinds_with(word: Json, name: str, kinds: Kinds) -> list[Kind]:
    moved_to = owning_kind(name, kinds)
    if moved_to:
        return [moved_to]
    if isinstance(word, str):
        return [kinds.targets[word]] if word in kinds.targets else []
    return list(kinds.targets.values())
