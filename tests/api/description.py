"""What the OpenAPI document says of an answer, held against the answer. Strictly: both ways."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import jsonschema_rs

from registry.api.core.openapi import document

Schema = dict[str, Any]
# What the transport and the browsers' safety are about, the same for pages.
NOT_THE_APIS = {
    "Content-Length",
    "Content-Security-Policy",
    "Content-Type",
    "Cross-Origin-Opener-Policy",
    "Referrer-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
}


@lru_cache(maxsize=1)
def operations() -> dict[str, Schema]:
    """What is said of each method and path, as in `GET /api/v1/tags`."""
    return {
        f"{method.upper()} {path}": said
        for path, methods in document()["paths"].items()
        for method, said in methods.items()
    }


def operation(method: str, path: str) -> Schema:
    """What is said of a request. Raises `LookupError` where there is no such route."""
    asked = f"{'GET' if method == 'HEAD' else method} {path}"
    for route, said in operations().items():
        form = re.sub(r"\\\{[a-z]+\\\}", ".+", re.escape(route))
        if re.fullmatch(form, asked, re.DOTALL):
            return said
    raise LookupError(asked)


def departures(
    said: Schema, status: int, headers: Mapping[str, str], content: bytes | None
) -> Iterator[str]:
    """In what an answer is not as described: one sentence each. To a HEAD it has no content."""
    if str(status) not in said["responses"]:
        yield f"the status {status} is not described"
        return
    answer = said["responses"][str(status)]
    yield from _of_headers(answer.get("headers", {}), headers)
    if content is not None:
        yield from _of_content(answer.get("content", {}), headers, content)


def _of_headers(described: Schema, sent: Mapping[str, str]) -> Iterator[str]:
    names = {name.lower(): name for name in sent}
    known = {name.lower() for name in (*described, *NOT_THE_APIS)}
    for name, header in described.items():
        required = _named(header).get("required", False)
        if required and name.lower() not in names:
            yield f"the header {name} is not sent"
    for lower, name in names.items():
        if lower not in known:
            yield f"the header {name} is not described"


def _of_content(described: Schema, headers: Mapping[str, str], content: bytes) -> Iterator[str]:
    media_type = headers.get("Content-Type", "").partition(";")[0]
    if not described:
        if content:
            yield "content is sent, and none is described"
        return
    if media_type not in described:
        yield f"the media type {media_type} is not described"
        return
    value = json.loads(content) if media_type.endswith("json") else content.decode()
    for error in _validator(json.dumps(described[media_type]["schema"])).iter_errors(value):
        yield f"{error.instance_path}: {error.message[:300]}"


def _named(value: Schema) -> Schema:
    """What a reference to a component stands for."""
    found: Any = document()
    if "$ref" not in value:
        return value
    for name in value["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return dict(found)


@lru_cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    root = {"components": {"schemas": document()["components"]["schemas"]}, **json.loads(schema)}
    return jsonschema_rs.Draft202012Validator(_closed(root), validate_formats=True)


def _closed(value: Any) -> Any:
    """A schema that admits no member that it does not describe."""
    if isinstance(value, list):
        return [_closed(item) for item in value]
    if not isinstance(value, dict):
        return value
    closed = {key: _closed(item) for key, item in value.items()}
    if isinstance(value.get("properties"), dict) and "additionalProperties" not in value:
        closed["unevaluatedProperties"] = False
    return closed
