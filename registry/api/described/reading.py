"""Looking around: tags, versions, kinds."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from registry.api.described.words import (
    ALWAYS,
    CACHED,
    CURSOR,
    DATE,
    IF_NONE_MATCH,
    READING,
    TAG_NAME,
    TEXT,
    TEXTS,
    a_page,
    an_object,
    answers,
    component,
    or_null,
)
from registry.domain.errors import Code

SUMMARY = component(
    "Version",
    an_object(
        reference=TEXT,
        version=TEXT,
        digest=TEXT,
        kind=or_null(TEXT),
        published=DATE,
        publisher=TEXT,
        author=or_null(TEXT),
        message=TEXT,
        sources=TEXTS,
        status={"type": "string", "enum": ["active", "yanked"]},
        yanked=or_null(TEXT),
    ),
)
TAG_SHOWN = component(
    "Tag",
    an_object(
        tag=TEXT,
        namespace=TEXT,
        name=TEXT,
        variant=or_null(TEXT),
        aliases=TEXTS,
        status={"type": "string", "enum": ["active", "yanked", "deprecated"]},
        deprecated=or_null(an_object(reason=TEXT, successor=or_null(TEXT))),
        newest=or_null(SUMMARY),
        last_published=TEXT,
        versions={"type": "integer"},
    ),
)
VERSIONS_SHOWN = a_page(SUMMARY, tag=TEXT, last_published=TEXT)

KINDS_SHOWN = a_page(
    an_object(
        name=TEXT,
        role=TEXT,
        revision={"type": "integer"},
        description=TEXT,
        options=TEXTS,
        schema=TEXT,
    ),
    body=TEXT,
)


TAG: dict[str, Any] = {
    "operation_id": "tag",
    "summary": "A tag with its newest version",
    "parameters": [TAG_NAME, IF_NONE_MATCH, *CACHED],
    "responses": answers({200: OpenApiResponse(TAG_SHOWN)}, READING),
}

VERSIONS: dict[str, Any] = {
    "operation_id": "versions",
    "summary": "All versions of a tag",
    "parameters": [TAG_NAME, CURSOR, IF_NONE_MATCH, *CACHED],
    "responses": answers({200: OpenApiResponse(VERSIONS_SHOWN)}, (*READING, Code.FILTER_INVALID)),
}

KINDS: dict[str, Any] = {
    "operation_id": "kinds",
    "summary": "All kinds in force",
    "parameters": [CURSOR, IF_NONE_MATCH, *CACHED],
    "responses": answers({200: OpenApiResponse(KINDS_SHOWN)}, (*ALWAYS, Code.FILTER_INVALID)),
}

KIND: dict[str, Any] = {
    "operation_id": "kind",
    "summary": "A kind's JSON Schema; of body, that of whole bodies",
    "parameters": [
        OpenApiParameter(
            "name", OpenApiTypes.STR, OpenApiParameter.PATH, description="llvm, executor/aot, body"
        ),
        IF_NONE_MATCH,
        *CACHED,
    ],
    "responses": answers(
        {(200, "application/schema+json"): OpenApiResponse({"type": "object"})},
        (*ALWAYS, Code.KIND_UNKNOWN),
    ),
}
