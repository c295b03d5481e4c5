"""Lists the stable parts of the API, a line each: routes, parameters, members and codes.

`surface.txt` holds those of all releases. A release adds its new lines with

    manage.py shell -c "from tests.api.core import surface; surface.record()"

and nothing is ever removed; see docs/promises.md.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from registry.api.core.openapi import document

FILE = Path(__file__).parent / "surface.txt"
REQUIRED = " requires "


def surface(document: dict[str, Any]) -> set[str]:
    """Return the lines that describe an OpenAPI document."""
    schemas = document["components"]["schemas"]
    lines = {line for name, schema in schemas.items() for line in _members(name, schema)}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            lines.update(_operation(f"{method.upper()} {path}", operation))
            for name in _request_schemas(operation):
                lines.update(
                    f"{name}{REQUIRED}{each}" for each in schemas[name].get("required", ())
                )
    return lines


def recorded() -> set[str]:
    """Return the lines of all versions of the API so far."""
    return set(FILE.read_text().splitlines())


def _operation(name: str, operation: dict[str, Any]) -> Iterator[str]:
    yield name
    for parameter in operation.get("parameters", ()):
        yield f"{name} takes {parameter['in']} {parameter['name']}"
        if parameter.get("required"):
            yield f"{name}{REQUIRED}{parameter['name']}"
    for status, response in operation["responses"].items():
        for media_type, content in response.get("content", {}).items():
            yield f"{name} responds {status} {media_type} {_type(content.get('schema', {}))}"


def _request_schemas(operation: dict[str, Any]) -> Iterator[str]:
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield _type(content["schema"])


def _members(name: str, schema: dict[str, Any]) -> Iterator[str]:
    for member, value in schema.get("properties", {}).items():
        yield f"{name}.{member} {_type(value)}"
        for option in value.get("enum", ()):
            yield f"{name}.{member} is {option}"


def _type(schema: dict[str, Any]) -> str:
    """Return the type of a value in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for combination in ("allOf", "oneOf", "anyOf"):
        if combination in schema:
            return " or ".join(sorted(map(_type, schema[combination])))
    kind = schema.get("type", "anything")
    text = " or ".join(sorted(kind)) if isinstance(kind, list) else str(kind)
    if "items" in schema:
        text += f" of {_type(schema['items'])}"
    return text


def record() -> None:
    """Add what is new to the file."""
    lines = surface(document()) | (recorded() if FILE.exists() else set())
    FILE.write_text("".join(f"{line}\n" for line in sorted(lines)))
