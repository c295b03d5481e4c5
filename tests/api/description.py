"""Compare responses strictly with the OpenAPI document, in both directions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import jsonschema_rs

from registry.api.core.openapi import document

Schema = dict[str, Any]
PAIR = re.escape("{pair}")  # two references, where another route has one
# Headers of the transport and for the safety of browsers. Pages have them too.
TRANSPORT_HEADERS = {
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
    """Return the description of every operation, such as `GET /api/v1/tags`."""
    return {
        f"{method.upper()} {path}": description
        for path, methods in document()["paths"].items()
        for method, description in methods.items()
    }


def operation(method: str, path: str) -> Schema:
    """Return the description of a request. Raises `LookupError` if there is no such route."""
    request = f"{'GET' if method == 'HEAD' else method} {path}"
    for pair in (r".+\.\.\..+", ".+"):  # what has no separator is one reference, or no pair
        for route, description in operations().items():
            form = re.sub(r"\\\{[a-z]+\\\}", ".+", re.escape(route).replace(PAIR, pair))
            if re.fullmatch(form, request, re.DOTALL):
                return description
    raise LookupError(request)


def mismatches(
    description: Schema, status: int, headers: Mapping[str, str], content: bytes | None
) -> Iterator[str]:
    """Yield a sentence for each difference. `content` is None in a response to HEAD."""
    if str(status) not in description["responses"]:
        yield f"the status {status} is not described"
        return
    answer = description["responses"][str(status)]
    yield from _header_mismatches(answer.get("headers", {}), headers)
    if content is not None:
        yield from _content_mismatches(answer.get("content", {}), headers, content)


def _header_mismatches(described: Schema, sent: Mapping[str, str]) -> Iterator[str]:
    names = {name.lower(): name for name in sent}
    known_names = {name.lower() for name in (*described, *TRANSPORT_HEADERS)}
    for name, header in described.items():
        required = _dereference(header).get("required", False)
        if required and name.lower() not in names:
            yield f"the header {name} is not sent"
    for lower, name in names.items():
        if lower not in known_names:
            yield f"the header {name} is not described"


def _content_mismatches(
    described: Schema, headers: Mapping[str, str], content: bytes
) -> Iterator[str]:
    media_type = headers.get("Content-Type", "").partition(";")[0]
    if not described:
        if content:
            yield "content is sent, but none is described"
        return
    if media_type not in described:
        yield f"the media type {media_type} is not described"
        return
    if described[media_type].get("schema", {}).get("format") == "binary":
        return
    value = json.loads(content) if media_type.endswith("json") else content.decode()
    for error in _validator(json.dumps(described[media_type]["schema"])).iter_errors(value):
        yield f"{error.instance_path}: {error.message[:300]}"


def _dereference(value: Schema) -> Schema:
    """Return the component that a `$ref` refers to, or the value itself."""
    result: Any = document()
    if "$ref" not in value:
        return value
    for name in value["$ref"].removeprefix("#/").split("/"):
        result = result[name]
    return dict(result)


@lru_cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    root = {"components": {"schemas": document()["components"]["schemas"]}, **json.loads(schema)}
    return jsonschema_rs.Draft202012Validator(_closed(root), validate_formats=True)


def _closed(value: Any) -> Any:
    """Return the schema, changed to reject undescribed members."""
    if isinstance(value, list):
        return [_closed(item) for item in value]
    if not isinstance(value, dict):
        return value
    closed = {key: _closed(item) for key, item in value.items()}
    if isinstance(value.get("properties"), dict) and "additionalProperties" not in value:
        closed["unevaluatedProperties"] = False
    return closed
