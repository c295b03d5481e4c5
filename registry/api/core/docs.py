"""GET docs: the API reference as a page, generated from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api.core.openapi import document
from registry.api.core.openapi_schema import HEADERS
from registry.api.core.problems import MEDIA_TYPE
from registry.api.core.resource import Resource
from registry.api.core.responses import of
from registry.domain.errors import Code
from registry.http.caching import CachePolicy

Schema = dict[str, Any]

PREFIX = "/api/v1/"
METHODS = ("get", "post", "put")
COMPONENT = "#/components/schemas/"
COMMON_HEADERS = frozenset({"If-None-Match", "ETag", *HEADERS})  # described once, above all routes


@dataclass(frozen=True, slots=True)
class TypeDescription:
    """The type of a schema in a few words, with the component that it refers to, if any."""

    text: str
    component: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter or member of a request, or a header of its response."""

    name: str
    location: str
    description: str
    type: TypeDescription
    required: bool = False
    example: str = ""
    is_repeated: bool = False  # whether it may be given several times


@dataclass(frozen=True, slots=True)
class ResponseDescription:
    """A status with its content types or, for an error, its codes."""

    status: str
    contents: tuple[tuple[str, TypeDescription], ...]
    codes: tuple[str, ...]
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a route."""

    anchor: str
    method: str
    path: str
    summary: str
    parameters: tuple[Parameter, ...]
    members: tuple[Parameter, ...]
    responses: tuple[ResponseDescription, ...]
    errors: tuple[ResponseDescription, ...]
    headers: tuple[Parameter, ...]
    needs_token: bool

    @property
    def examples(self) -> list[tuple[Parameter, str]]:
        """Return the parameters with the values that the form to run it begins with."""
        return [(parameter, parameter.example) for parameter in self.inputs]

    @property
    def inputs(self) -> list[Parameter]:
        """Return the parameters that the form to run it has, those that are required first."""
        fields = (parameter for parameter in self.parameters if parameter.location != "header")
        return sorted(fields, key=lambda parameter: not parameter.required)


@method_decorator(gzip_page, name="dispatch")  # it contains no secrets, and compresses well
class Docs(Resource):
    """The API reference, which contains nothing that is not in `openapi.json`."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """Return the page, which depends on the reader's theme."""
        http_request = request._request  # whose user is the one who is signed in
        html = render_to_string("registry/docs.html", _context(), http_request)
        return of(
            http_request, html, media_type="text/html; charset=utf-8", policy=CachePolicy.PERSONAL
        )


@lru_cache(maxsize=1)
def _context() -> dict[str, Any]:
    """Return the context of the template; it only changes with the code."""
    schemas = document()["components"]["schemas"]
    return {
        "section": "api",
        "operations": operations(),
        "components": [(name, list(_members(schema))) for name, schema in schemas.items()],
    }


@lru_cache(maxsize=1)
def operations() -> tuple[Operation, ...]:
    """Return the methods of all routes; they only change with the code."""
    openapi = document()
    schemas = openapi["components"]["schemas"]
    return tuple(
        _operation(path.removeprefix(PREFIX), method, methods[method], schemas)
        for path, methods in openapi["paths"].items()
        for method in METHODS
        if method in methods
    )


def _operation(path: str, method: str, operation: Schema, schemas: Schema) -> Operation:
    parameters = [_parameter(parameter) for parameter in operation.get("parameters", ())]
    by_status = operation["responses"].items()
    responses = [_response(status, response) for status, response in by_status]
    headers: Schema = {}
    for status, response in by_status:
        if status.startswith("2"):
            headers |= response.get("headers", {})
    return Operation(
        anchor=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        parameters=tuple(item for item in parameters if item.name not in COMMON_HEADERS),
        members=tuple(_members(_request_schema(operation, schemas))),
        responses=tuple(response for response in responses if not response.codes),
        errors=tuple(response for response in responses if response.codes),
        headers=tuple(
            Parameter(name, "header", header["description"], _type(header["schema"]))
            for name, header in headers.items()
            if name not in COMMON_HEADERS
        ),
        needs_token={} not in operation.get("security", [{}]),
    )


def _request_schema(operation: Schema, schemas: Schema) -> Schema:
    contents: Schema = operation.get("requestBody", {}).get("content", {})
    references = (content["schema"]["$ref"] for content in contents.values())
    return next((schemas[reference.removeprefix(COMPONENT)] for reference in references), {})


def _parameter(parameter: Schema) -> Parameter:
    return Parameter(
        parameter["name"],
        parameter["in"],
        parameter.get("description", ""),
        _type(parameter["schema"]),
        parameter.get("required", False),
        _example(parameter),
        parameter.get("explode", False),
    )


def _example(parameter: Schema) -> str:
    """Return the first example of a parameter; empty if it has none."""
    examples = parameter.get("examples", {}).values()
    return next((str(example["value"]) for example in examples), "")


def _members(schema: Schema) -> Iterator[Parameter]:
    required = schema.get("required", ())
    for name, member in schema.get("properties", {}).items():
        yield Parameter(name, "", member.get("description", ""), _type(member), name in required)


def _response(status: str, response: Schema) -> ResponseDescription:
    contents = {
        media: _type(content["schema"]) for media, content in response.get("content", {}).items()
    }
    description = response.get("description", "")
    if MEDIA_TYPE in contents:
        codes = tuple(code for code in Code if f"{code}: " in description)
        return ResponseDescription(status, (), codes, "")
    return ResponseDescription(status, tuple(contents.items()), (), description)


def _type(schema: Schema) -> TypeDescription:
    """Describe the type of a schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(COMPONENT)
        return TypeDescription(name, name)
    if "oneOf" in schema:
        inner = _type(schema["oneOf"][0])
        return TypeDescription(f"{inner.text} or null", inner.component)
    if "null" in schema.get("type", ()):
        (name,) = (item for item in schema["type"] if item != "null")
        values = [value for value in schema.get("enum", ()) if value is not None]
        inner = _type({**schema, "type": name} | ({"enum": values} if values else {}))
        return TypeDescription(f"{inner.text} or null", inner.component)
    if "enum" in schema:
        return TypeDescription(" | ".join(map(str, schema["enum"])))
    if schema.get("type") == "array":
        inner = _type(schema.get("items", {}))
        return TypeDescription(f"list of {inner.text}", inner.component)
    if isinstance(schema.get("additionalProperties"), dict):
        inner = _type(schema["additionalProperties"])
        return TypeDescription(f"object of {inner.text}", inner.component)
    return TypeDescription(str(schema.get("format") or schema.get("type", "any")))
