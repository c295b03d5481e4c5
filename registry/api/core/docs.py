"""GET docs: the description of the API as a page, made from the OpenAPI document."""

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
from registry.http.caching import Policy

Schema = dict[str, Any]

PREFIX = "/api/v1/"
METHODS = ("get", "post", "put")
COMPONENT = "#/components/schemas/"
EVERYWHERE = frozenset({"If-None-Match", "ETag", *HEADERS})  # said once, above all routes


@dataclass(frozen=True, slots=True)
class TypeDescription:
    """What a schema admits, in words, with the component it names if it does."""

    words: str
    component: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something that a request says, or a header of its answer."""

    name: str
    place: str
    says: str
    type: TypeDescription
    required: bool = False


@dataclass(frozen=True, slots=True)
class ResponseDescription:
    """One status, with what comes with it; of a refusal, its codes."""

    status: str
    contents: tuple[tuple[str, TypeDescription], ...]
    codes: tuple[str, ...]
    says: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one route."""

    anchor: str
    method: str
    path: str
    summary: str
    parameters: tuple[Parameter, ...]
    members: tuple[Parameter, ...]
    answers: tuple[ResponseDescription, ...]
    refusals: tuple[ResponseDescription, ...]
    headers: tuple[Parameter, ...]
    needs_token: bool


@dataclass(frozen=True, slots=True)
class ComponentDescription:
    """A component: the members of an object."""

    name: str
    members: tuple[Parameter, ...]


@method_decorator(gzip_page, name="dispatch")  # nothing in it is secret, and much of it repeats
class Docs(Resource):
    """The page. Everything that it says, `openapi.json` says too."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """The whole description on one page; it differs by the theme that a reader chose."""
        asked = request._request
        html = render_to_string("registry/docs.html", _contents(), asked)
        return of(asked, html, media_type="text/html; charset=utf-8", policy=Policy.PERSONAL)


@lru_cache(maxsize=1)
def _contents() -> dict[str, Any]:
    """What the template shows; the same until the code changes."""
    described = document()
    schemas = described["components"]["schemas"]
    return {
        "section": "api",
        "operations": tuple(_operations(described["paths"], schemas)),
        "shapes": tuple(_shapes(schemas)),
    }


def _operations(paths: Schema, schemas: Schema) -> Iterator[Operation]:
    for path, methods in paths.items():
        for method in METHODS:
            if method in methods:
                yield _operation(path.removeprefix(PREFIX), method, methods[method], schemas)


def _operation(path: str, method: str, said: Schema, schemas: Schema) -> Operation:
    parameters = [_parameter(each) for each in said.get("parameters", ())]
    answers = [_answer(*pair) for pair in said["responses"].items()]
    good = [each for status, each in said["responses"].items() if status.startswith("2")]
    headers = {name: each for answer in good for name, each in answer.get("headers", {}).items()}
    return Operation(
        anchor=said["operationId"],
        method=method.upper(),
        path=path,
        summary=said["summary"],
        parameters=tuple(each for each in parameters if each.name not in EVERYWHERE),
        members=tuple(_members(_request_schema(said, schemas))),
        answers=tuple(each for each in answers if not each.codes),
        refusals=tuple(each for each in answers if each.codes),
        headers=tuple(
            Parameter(name, "header", each["description"], _type(each["schema"]))
            for name, each in headers.items()
            if name not in EVERYWHERE
        ),
        needs_token={} not in said.get("security", [{}]),
    )


def _request_schema(said: Schema, schemas: Schema) -> Schema:
    contents: Schema = said.get("requestBody", {}).get("content", {})
    references = (content["schema"]["$ref"] for content in contents.values())
    return next((schemas[each.removeprefix(COMPONENT)] for each in references), {})


def _parameter(said: Schema) -> Parameter:
    says = said.get("description", "")
    return Parameter(
        said["name"], said["in"], says, _type(said["schema"]), said.get("required", False)
    )


def _members(schema: Schema) -> Iterator[Parameter]:
    required = schema.get("required", ())
    for name, member in schema.get("properties", {}).items():
        yield Parameter(name, "", member.get("description", ""), _type(member), name in required)


def _answer(status: str, said: Schema) -> ResponseDescription:
    contents = {
        media: _type(content["schema"]) for media, content in said.get("content", {}).items()
    }
    is_refusal = MEDIA_TYPE in contents
    words = said.get("description", "")
    codes = tuple(code for code in Code if f"{code}: " in words) if is_refusal else ()
    shown = () if is_refusal else tuple(contents.items())
    return ResponseDescription(status, shown, codes, "" if is_refusal else words)


def _type(schema: Schema) -> TypeDescription:
    """A schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(COMPONENT)
        return TypeDescription(name, name)
    if "oneOf" in schema:
        inner = _type(schema["oneOf"][0])
        return TypeDescription(f"{inner.words} or null", inner.component)
    if "null" in schema.get("type", ()):
        (name,) = (each for each in schema["type"] if each != "null")
        values = [value for value in schema.get("enum", ()) if value is not None]
        inner = _type({**schema, "type": name} | ({"enum": values} if values else {}))
        return TypeDescription(f"{inner.words} or null", inner.component)
    if "enum" in schema:
        return TypeDescription(" | ".join(map(str, schema["enum"])))
    if schema.get("type") == "array":
        inner = _type(schema.get("items", {}))
        return TypeDescription(f"list of {inner.words}", inner.component)
    if isinstance(schema.get("additionalProperties"), dict):
        inner = _type(schema["additionalProperties"])
        return TypeDescription(f"object of {inner.words}", inner.component)
    return TypeDescription(str(schema.get("format") or schema.get("type", "any")))


def _shapes(schemas: Schema) -> Iterator[ComponentDescription]:
    for name, schema in schemas.items():
        yield ComponentDescription(name, tuple(_members(schema)))
