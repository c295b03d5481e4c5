"""Resolving, as the OpenAPI document describes it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiRequest, OpenApiResponse

from registry.api.described.common import (
    ALWAYS,
    CACHED,
    DATE,
    FORMAT,
    IF_NONE_MATCH,
    PROBLEM,
    READING,
    REFERENCE,
    SENDING,
    TEXT,
    TEXTS,
    Schema,
    a_list,
    an_object,
    answers,
    component,
    header,
    with_perhaps,
)
from registry.api.formats import FORMATS
from registry.domain.errors import Code
from registry.domain.reference import DIGEST as EXACT_DIGEST

KEYS: Schema = {"type": "object", "additionalProperties": TEXT}

DEPENDENCY = component(
    "Dependency",
    an_object(
        pointer=TEXT,
        requested=TEXT,
        resolved=TEXT,
        relation={"type": "string", "enum": ["inherits", "composes"]},
    ),
)
WARNING = component("Warning", with_perhaps(an_object(code=TEXT, message=TEXT), successor=TEXT))
NODE = component("NodeAsked", an_object(pointer=TEXT, digest_of_whole=TEXT))
WHOLE = an_object(
    reference=TEXT,
    tag=TEXT,
    version=TEXT,
    digest=TEXT,
    published=DATE,
    status={"type": "string", "enum": ["active", "yanked", "deprecated"]},
    target={"type": "object"},
    tuning_keys=KEYS,
    lineage=TEXTS,
    dependencies=a_list(DEPENDENCY),
    warnings=a_list(WARNING),
)
RESOLUTION = component("Resolution", with_perhaps(WHOLE, node=NODE))  # where one was asked for
GOOD = [200, 201, 304]
TARGET_HEADERS = [
    header("Target-Version", "the version that answered", of=GOOD, always=True),
    header("Target-Digest", "the digest of its target", of=GOOD, always=True),
    header(
        "Target-Status",
        "active, yanked or deprecated; not where the answer is kept for ever",
        of=GOOD,
    ),
]
LOCATION = header("Content-Location", "the exact version, where the reference floats", of=GOOD)


RESOLVE: dict[str, Any] = {
    "operation_id": "resolve",
    "summary": "Resolve a reference to its target",
    "parameters": [
        REFERENCE,
        FORMAT,
        OpenApiParameter(
            "node",
            OpenApiTypes.STR,
            description="JSON pointer of a node: the answer is that node, closed",
        ),
        IF_NONE_MATCH,
        *CACHED,
        *TARGET_HEADERS,
        LOCATION,
    ],
    "responses": answers(
        {
            (200, FORMATS["json"].media_type): OpenApiResponse(RESOLUTION),
            (200, FORMATS["target"].media_type): OpenApiResponse({"type": "object"}),
        },
        (*READING, Code.FORMAT_UNKNOWN, Code.NODE_UNKNOWN, Code.NOT_A_TARGET),
    ),
}

# A target alone in that format; there is no telling one from the others by its members.
RESULT: Schema = {"anyOf": [RESOLUTION, PROBLEM, {"type": "object"}]}

RESOLVE_MANY: dict[str, Any] = {
    "operation_id": "resolve_many",
    "summary": "Resolve up to 1,000 references",
    "request": OpenApiRequest(
        {
            "type": "object",
            "properties": {
                "references": {**TEXTS, "maxItems": 1000},
                "format": {"type": "string", "enum": list(FORMATS)},
            },
            "required": ["references"],
            "additionalProperties": False,
        }
    ),
    "responses": answers(
        {200: OpenApiResponse(an_object(results=a_list(RESULT)))},
        (*SENDING, Code.FORMAT_UNKNOWN),
        conditional=False,
    ),
}

DIGEST: dict[str, Any] = {
    "operation_id": "digest",
    "summary": "The target by its content",
    "parameters": [
        OpenApiParameter(
            "digest",
            {"type": "string", "pattern": f"^{EXACT_DIGEST.pattern}$"},
            OpenApiParameter.PATH,
            description="sha256:<64 hex digits>",
        ),
        IF_NONE_MATCH,
        *CACHED,
    ],
    "responses": answers(
        {(200, FORMATS["target"].media_type): OpenApiResponse({"type": "object"})},
        (Code.REFERENCE_INVALID, Code.DIGEST_UNKNOWN, *ALWAYS),
    ),
}
