"""Where TVM takes a value of another type than an option has, and what it makes of it."""

from __future__ import annotations

from registry.domain.document import Json
from registry.domain.kinds import Kind, Kinds
from registry.domain.schema import followed
from registry.domain.tvm.moved import home


def converted(value: Json, wanted: str) -> Json:
    """A value as TVM 0.27 converts it to a JSON type.

    Any integer is true or false, and these are 1 and 0. Nothing else is converted.
    """
    if wanted == "boolean" and isinstance(value, int):
        return bool(value)
    if wanted == "integer" and isinstance(value, bool):
        return int(value)
    return value


def option_type(word: Json, name: str, kinds: Kinds) -> str:
    """The JSON type of an option of a node of a kind; empty of what is unknown or has several.

    Of a node that inherits its kind, that in any kind that has the option.
    """
    for kind in _owners(word, name, kinds):
        schema = kind.schema["properties"].get(name)
        if schema is not None:
            named = followed(schema).get("type")
            return named if isinstance(named, str) else ""
    return ""


def _owners(word: Json, name: str, kinds: Kinds) -> list[Kind]:
    moved_to = home(name, kinds)
    if moved_to:
        return [moved_to]
    if isinstance(word, str):
        return [kinds.targets[word]] if word in kinds.targets else []
    return list(kinds.targets.values())
