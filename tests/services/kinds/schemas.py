"""Modified schemas of shipped kinds."""

from typing import Any

from registry.services.core import shipped_facts


def with_max_cores(cores: int) -> dict[str, Any]:
    """Return the shipped schema of llvm with another maximum of num-cores."""
    return with_option(shipped_facts.kinds()["llvm"], "num-cores", maximum=cores)


def without_options(schema: dict[str, Any], *options: str) -> dict[str, Any]:
    properties = {
        name: value for name, value in schema["properties"].items() if name not in options
    }
    return schema | {"properties": properties}


def with_option(schema: dict[str, Any], name: str, **keywords: Any) -> dict[str, Any]:
    """Return a schema with a new option, or with other keywords for an option."""
    default = {"type": "integer", "x-consumers": ["codegen"], "x-affects-tuning": True}
    option = {**schema["properties"].get(name, default), **keywords}
    return schema | {"properties": schema["properties"] | {name: option}}
