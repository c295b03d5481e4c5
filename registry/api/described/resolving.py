"""Resolving, as the OpenAPI document describes it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from registry.api.described.common import (
    ALWAYS,
    CACHED,
    DATE,
    FORMAT,
    IF_NONE_MATCH,
    READING,
    REFERENCE,
    TEXT,
    TEXTS,
    Schema,
    a_list,
    an_object,
    answers,
    component,
    header,
)
from registry.api.formats import FORMATS
from registry.domain.errors import Code

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
WARNING = component(
    "Warning",
    {
        "type": "object",
        "properties": {"code": TEXT, "message": TEXT, "successor": TEXT},
        "required": ["code", "message"],
    },
)
RESOLUTION = component(
    "Resolution",
    an_object(
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
    ),
)
TARGET_HEADERS = [
    header("Target-Version", "the version that answered", of=[200]),
    header("Target-Digest", "the digest of its target", of=[200]),
    header(
        "Target-Status",
        "active, yanked or deprecated; not where the answer is kept for ever",
        of=[200],
    ),
    header("Content-Location", "the exact version, where the reference floats", of=[200]),
]


RESOLVE: dict[str, Any] = {
    "operation_id": "resolve",
    "summary": "Resolve a reference to its target",
    "parameters": [REFERENCE, FORMAT, IF_NONE_MATCH, *CACHED, *TARGET_HEADERS],
    "responses": answers(
        {
            (200, FORMATS["json"].media_type): OpenApiResponse(RESOLUTION),
            (200, FORMATS["target"].media_type): OpenApiResponse({"type": "object"}),
        },
        (*READING, Code.FORMAT_UNKNOWN),
    ),
}

DIGEST: dict[str, Any] = {
    "operation_id": "digest",
    "summary": "The target by its content",
    "parameters": [
        OpenApiParameter(
            "digest", OpenApiTypes.STR, OpenApiParameter.PATH, description="sha256:<64 hex digits>"
        ),
        IF_NONE_MATCH,
        *CACHED,
    ],
    "responses": answers(
        {(200, FORMATS["target"].media_type): OpenApiResponse({"type": "object"})},
        (Code.REFERENCE_INVALID, Code.DIGEST_UNKNOWN, *ALWAYS),
    ),
}
