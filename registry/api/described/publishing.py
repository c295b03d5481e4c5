"""Checking and publishing."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiRequest, OpenApiResponse

from registry.api.described.resolving import KEYS, RESOLUTION, TARGET_HEADERS
from registry.api.described.words import (
    FAULT,
    SENDING,
    TAG,
    TAG_NAME,
    TEXT,
    TEXTS,
    WITH_TOKEN,
    Schema,
    a_list,
    an_object,
    answers,
    component,
    header,
    or_null,
    with_perhaps,
)
from registry.domain.errors import Code
from registry.domain.importers import IMPORTERS
from registry.domain.number import Bump
from registry.domain.prose import LINK, MAX_LINK
from registry.services.publishing import MAX_MESSAGE, MAX_SOURCES

SIDE = or_null(
    {
        "type": "object",
        "properties": {"value": {}, "from": or_null(TEXT)},
        "required": ["value", "from"],
    }
)

BUMP = or_null({"type": "string", "enum": [str(bump) for bump in Bump]})
CHANGE = component(
    "Change",
    an_object(
        pointer=TEXT, old=SIDE, new=SIDE, consumers=TEXTS, affects_tuning={"type": "boolean"}
    ),
)
EFFECT = component(
    "Effect",
    an_object(
        tag=TEXT,
        reference=TEXT,
        valid={"type": "boolean"},
        errors=a_list(FAULT),
        version=or_null(TEXT),
        bump=BUMP,
        diff=a_list(CHANGE),
    ),
)
IMPACT = component(
    "Impact",
    an_object(
        results=a_list(EFFECT),
        counts={"type": "object", "additionalProperties": {"type": "integer"}},
        downstream={"type": "integer"},
        complete={"type": "boolean"},
        circular=TEXTS,
    ),
)
NEAR = component("NearDuplicate", an_object(reference=TEXT, diff=a_list(CHANGE)))
NOTE = component("Note", an_object(pointer=TEXT, message=TEXT))
SURE = an_object(
    valid={"type": "boolean"},
    errors=a_list(FAULT),
    target=or_null({"type": "object"}),
    digest=or_null(TEXT),
    tuning_keys=or_null(KEYS),
    version=or_null(TEXT),
    bump=BUMP,
    diff=a_list(CHANGE),
    lints=a_list(FAULT),
    notes=a_list(NOTE),
)
INCLUDED = {"impact": or_null(IMPACT), "near": or_null(a_list(NEAR))}  # where they are asked for
IMPORTED: Schema = {"type": "object", "description": "the body that was read from source"}
VERDICT = component("Verdict", with_perhaps(SURE, body=IMPORTED, **INCLUDED))
BODY: Schema = {
    "type": "object",
    "description": "as the schema at kinds/body has it; anything else is refused with its faults",
}
MESSAGE: Schema = {"type": "string", "maxLength": MAX_MESSAGE}
LINKED: Schema = {"type": "string", "maxLength": MAX_LINK, "pattern": LINK.pattern}
SOURCES: Schema = {**a_list(LINKED), "maxItems": MAX_SOURCES}
DESCRIPTION: dict[str, Schema] = {
    "format": {"type": "string", "enum": list(IMPORTERS)},
    "source": {"description": "text, or JSON where the format is JSON"},
}
EITHER: list[Schema] = [
    {"required": ["target"], "properties": {"format": False, "source": False}},
    {"required": ["format", "source"], "properties": {"target": False}},
]

PUBLISH: dict[str, Any] = {
    "auth": WITH_TOKEN,
    "operation_id": "publish",
    "summary": "Publish the next version of a tag",
    "parameters": [
        TAG_NAME,
        header("If-Match", '"<number of the most recently published version>"'),
        header("If-None-Match", "*, for a tag's first version"),
        header("Location", "where the new version resolves", of=[201], always=True),
        *TARGET_HEADERS,
    ],
    "request": OpenApiRequest(
        {
            "type": "object",
            "properties": {"target": BODY, "message": MESSAGE, "sources": SOURCES},
            "required": ["target"],
            "additionalProperties": False,
        }
    ),
    "responses": answers(
        {201: OpenApiResponse(RESOLUTION)},
        (
            *SENDING,
            Code.FORBIDDEN,
            Code.NAMESPACE_UNKNOWN,
            Code.TAG_UNKNOWN,
            Code.BODY_INVALID,
            Code.PARENT_INVALID,
            Code.CYCLE,
            Code.NOT_A_TARGET,
            Code.NOTHING_CHANGED,
            Code.CONFLICT,
            Code.PRECONDITION_REQUIRED,
            Code.PRECONDITION_FAILED,
        ),
        conditional=False,
    ),
}

CHECK: dict[str, Any] = {
    "operation_id": "check",
    "summary": "What publishing a body would do",
    "parameters": [
        OpenApiParameter(
            "include",
            a_list({"type": "string", "enum": ["impact", "near"]}),
            style="form",
            explode=False,
            description="impact, near or both with a comma between: what else the verdict holds",
        )
    ],
    "request": OpenApiRequest(
        {
            "type": "object",
            "properties": {
                "tag": TAG,
                "target": {"description": BODY["description"]},
                **DESCRIPTION,
            },
            "required": ["tag"],
            "oneOf": EITHER,
            "additionalProperties": False,
        }
    ),
    "responses": answers(
        {200: OpenApiResponse(VERDICT)}, (*SENDING, Code.FORMAT_UNKNOWN), conditional=False
    ),
}
