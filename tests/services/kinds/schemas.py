"""Schemas of kinds that differ from what ships."""

from typing import Any

from registry.services.core import shipped_facts


def with_at_most(cores: int) -> dict[str, Any]:
    """The shipped schema of llvm, with another bound."""
    return with_option(shipped_facts.kinds()["llvm"], "num-cores", maximum=cores)


def without(schema: dict[str, Any], *options: str) -> dict[str, Any]:
    kept = {name: value for name, value in schema["properties"].items() if name not in options}
    return schema | {"properties": kept}


def with_option(schema: dict[str, Any], name: str, **keywords: Any) -> dict[str, Any]:
    """A schema in which an option has other keywords, or is new."""
    plain = {"type": "integer", "x-consumers": ["codegen"], "x-affects-tuning": True}
    option = {**schema["properties"].get(name, plain), **keywords}
    return schema | {"properties": schema["properties"] | {name: option}}
