"""Words in which resources are described: schemas, parameters, headers, problems."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from registry.api.problems import MEDIA_TYPE
from registry.domain.errors import Code
from registry.domain.reference import (
    COMPONENT as NAME_PART,
    DIGEST,
    MAX_REFERENCE,
    MAX_TAG,
    NUMBERS,
)
from registry.http.problems import PROBLEMS
from registry.services.exporting import FORMS

Schema = dict[str, Any]
COMPONENT = "x-component"  # marks a schema until it is lifted

TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
DATE: Schema = {"type": "string", "format": "date-time"}


def an_object(**properties: Schema) -> Schema:
    """An object that has all of these members."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def with_perhaps(schema: Schema, **optional: Schema) -> Schema:
    """An object that may have further members."""
    return {**schema, "properties": {**schema["properties"], **optional}}


def component(name: str, schema: Schema) -> Schema:
    """A schema that the document holds once, by name (see `lift_components`)."""
    return {**schema, COMPONENT: name}


def or_null(schema: Schema) -> Schema:
    """A value or null."""
    return {"oneOf": [schema, {"type": "null"}]}


def a_list(item: Schema) -> Schema:
    """A list of such."""
    return {"type": "array", "items": item}


FAULT = component(
    "Fault",
    an_object(pointer=TEXT, code=TEXT, message=TEXT, expected=TEXT, found=TEXT, suggestions=TEXTS),
)
REFUSED = an_object(
    type=TEXT,
    title=TEXT,
    status={"type": "integer"},
    detail=TEXT,
    code={"type": "string", "enum": [str(code) for code in Code]},
    errors=a_list(FAULT),
    suggestions=TEXTS,
)
INSTANCE = {"type": "string", "description": "the request, where the registry failed"}
PROBLEM = component("Problem", with_perhaps(REFUSED, instance=INSTANCE))
SPELLING = r'[!"$&->A-\[\]-~]+/[!"$&->A-\[\]-~]+'  # of tags and of aliases, which are freer
SELECTED = f"(@({NUMBERS.pattern}|{DIGEST.pattern}))?"
_NAME = f"{NAME_PART.pattern}(?:/{NAME_PART.pattern})+"
TAG: Schema = {
    "type": "string",
    "maxLength": MAX_TAG,
    "pattern": rf"^{_NAME}(:[a-z0-9_](\.?[a-z0-9_-])*)?$",
}
A_REFERENCE: Schema = {
    "type": "string",
    "maxLength": MAX_REFERENCE,
    "pattern": f"^{SPELLING}{SELECTED}$",
}
REFERENCE = OpenApiParameter(
    "reference",
    A_REFERENCE,
    OpenApiParameter.PATH,
    description="namespace/name[:variant][@version]; its slashes stand as they are",
    examples=[OpenApiExample("a line of versions", value="nvidia/jetson-nano:cuda@1")],
)
TAG_NAME = OpenApiParameter(
    "reference",
    {"type": "string", "maxLength": MAX_TAG, "pattern": f"^{SPELLING}$"},
    OpenApiParameter.PATH,
    description="namespace/name[:variant]",
    examples=[OpenApiExample("a variant", value="nvidia/jetson-nano:cuda")],
)
CURSOR = OpenApiParameter(
    "cursor",
    OpenApiTypes.STR,
    description="where the page begins: as `next` of the one before has it",
)


def a_page(item: Schema, **more: Schema) -> Schema:
    """A cursor page of such items."""
    return an_object(results=a_list(item), next=or_null(TEXT), **more)


def header(
    name: str, description: str, *, of: list[int] | None = None, always: bool = False
) -> OpenApiParameter:
    """A header of requests, or of answers with these statuses: of all of them, or of some."""
    return OpenApiParameter(
        name,
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        required=always,
        description=description,
        response=of or False,
    )


FORMAT = OpenApiParameter(
    "format",
    OpenApiTypes.STR,
    enum=list(FORMS),
    description="the format by name; wins over Accept",
)
IF_NONE_MATCH = header("If-None-Match", "an ETag seen before: 304 where nothing has changed")
CACHED = [
    header("ETag", "strong; over the bytes of the answer", of=[200, 304], always=True),
]


def answers(
    good: dict[Any, Any], codes: Iterable[Code], *, conditional: bool = True
) -> dict[Any, Any]:
    """The good answers, and a problem for each status that the codes have."""
    by_status: dict[int, list[Code]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(int(PROBLEMS[code].status), []).append(code)
    for status, found in sorted(by_status.items()):
        words = "; ".join(f"{code}: {PROBLEMS[code].meaning}" for code in found)
        good[(status, MEDIA_TYPE)] = OpenApiResponse(_one_of(found), description=words)
    if conditional:
        good[304] = OpenApiResponse(description="The asker has these bytes already.")
    return good


def _one_of(codes: list[Code]) -> Schema:
    """A problem that has one of these codes."""
    return {"allOf": [PROBLEM], "properties": {"code": {"enum": [str(code) for code in codes]}}}


# Of what is never done without a token; else one may be sent.
WITH_TOKEN: list[dict[str, list[str]]] = [{"token": []}]
ALWAYS = (
    Code.REQUEST_INVALID,
    Code.UNAUTHENTICATED,
    Code.RATE_LIMITED,  # of reads too, where a token is wrong again and again
    Code.BUSY,
    Code.INTERNAL,
)
READING = (*ALWAYS, Code.REFERENCE_INVALID, Code.TAG_UNKNOWN, Code.VERSION_UNKNOWN)
SENDING = (
    *ALWAYS,
    Code.JSON_INVALID,
    Code.REFERENCE_INVALID,
    Code.LENGTH_REQUIRED,
    Code.TOO_LARGE,
    Code.TOO_DEEP,
    Code.MEDIA_TYPE_UNSUPPORTED,
)


def lift_components(result: Schema, **_: Any) -> Schema:
    """Put each marked schema into the document's components, and a reference where it stood.

    A hook of drf-spectacular's (settings), which itself names serializers only.
    """
    components: dict[str, Schema] = {}

    def lifted(value: Any) -> Any:
        if isinstance(value, list):
            return [lifted(item) for item in value]
        if not isinstance(value, dict):
            return value
        schema = {key: lifted(item) for key, item in value.items() if key != COMPONENT}
        if COMPONENT not in value:
            return schema
        components[value[COMPONENT]] = schema
        return {"$ref": f"#/components/schemas/{value[COMPONENT]}"}

    document: Schema = lifted(result)
    document.setdefault("components", {})["schemas"] = dict(sorted(components.items()))
    return document
