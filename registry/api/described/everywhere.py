"""What all operations have in common: headers that belong to a status; a body where one is sent."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from registry.api.described.words import Schema
from registry.api.problems import REQUEST_ID

HEADERS = {
    "Access-Control-Allow-Origin": "*: pages of any origin may read the answer",
    "Access-Control-Expose-Headers": "which headers pages of other origins may read",
    "Allow": "the methods of the resource",
    "Cache-Control": "how long the answer may be kept",
    "Retry-After": "seconds after which to try again",
    "Vary": "which headers of the request the answer depends on",
    "WWW-Authenticate": "how a token is sent",
    REQUEST_ID: "the id of the request, to ask an operator about",
}
OPTIONAL = "Allow"  # not where a request is refused before its resource is looked for
OF_ALL = ("Access-Control-Allow-Origin", "Allow", "Cache-Control", REQUEST_ID)
OF_CONTENT = "Access-Control-Expose-Headers"
OF_STATUS = {
    "200": ("Vary",),
    "201": ("Vary",),
    "304": ("Vary",),
    "401": ("WWW-Authenticate",),
    "429": ("Retry-After",),
    "503": ("Retry-After",),
}


def describe(result: Schema, **_: Any) -> Schema:
    """Say it of each operation. A hook of drf-spectacular's (settings)."""
    for methods in result["paths"].values():
        for operation in methods.values():
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
            for status, answer in operation["responses"].items():
                places = {name: {"$ref": f"#/components/headers/{name}"} for name in _of(status)}
                answer["headers"] = places | answer.get("headers", {})
                answer["description"] = answer["description"] or HTTPStatus(int(status)).phrase
    result["components"]["headers"] = {
        name: {"description": words, "required": name != OPTIONAL, "schema": {"type": "string"}}
        for name, words in HEADERS.items()
    }
    return result


def _of(status: str) -> tuple[str, ...]:
    exposed = () if status == "304" else (OF_CONTENT,)
    return (*OF_ALL, *exposed, *OF_STATUS.get(status, ()))
