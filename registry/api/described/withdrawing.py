"""Yanking, deprecating, and aliases."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiRequest, OpenApiResponse

from registry.api.described.words import (
    A_REFERENCE,
    DATE,
    SENDING,
    SPELLING,
    TAG,
    TAG_NAME,
    TEXT,
    WITH_TOKEN,
    Schema,
    an_object,
    answers,
    component,
    header,
    or_null,
    with_perhaps,
)
from registry.domain.errors import Code
from registry.domain.reference import MAX_REFERENCE, MAX_TAG
from registry.services.reasons import MAX_REASON

EXACT = OpenApiParameter(
    "reference",
    {
        "type": "string",
        "maxLength": MAX_REFERENCE,
        "pattern": rf"^{SPELLING}@[0-9]{{1,9}}\.[0-9]{{1,9}}\.[0-9]{{1,9}}$",
    },
    OpenApiParameter.PATH,
    description="namespace/name[:variant]@MAJOR.MINOR.PATCH",
    examples=[OpenApiExample("a version", value="acme/board@1.0.0")],
)
ALIAS_NAME = OpenApiParameter(
    "alias",
    {"type": "string", "maxLength": MAX_TAG, "pattern": f"^{SPELLING}$"},
    OpenApiParameter.PATH,
    description="a spelling that begins with a namespace; printable ASCII without @ ? # % \\",
    examples=[OpenApiExample("an alias", value="acme/GPU,latest")],
)
REASON: Schema = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_REASON,
    "description": "one line, shown to everybody",
}
WITHDRAWN = component(
    "Withdrawal",
    an_object(
        reference=TEXT,
        status={"type": "string", "enum": ["active", "yanked"]},
        reason=TEXT,
        at=DATE,
        by=TEXT,
    ),
)
DEPRECATED = component(
    "Deprecation",
    an_object(
        tag=TEXT,
        status={"type": "string", "enum": ["active", "yanked", "deprecated"]},
        deprecated=or_null(an_object(reason=TEXT, successor=or_null(TEXT))),
    ),
)
POINTED = component("Alias", an_object(alias=TEXT, tag=TEXT, reference=TEXT))

CHANGING = (*SENDING, Code.FORBIDDEN, Code.TAG_UNKNOWN, Code.CONFLICT)


def _a_request(required: dict[str, Schema], **optional: Schema) -> OpenApiRequest:
    schema = with_perhaps(an_object(**required), **optional)
    return OpenApiRequest({**schema, "additionalProperties": False})


def _a_change(name: str, summary: str, *codes: Code) -> dict[str, Any]:
    of_version = name in ("yank", "unyank")
    return {
        "auth": WITH_TOKEN,
        "operation_id": name,
        "summary": summary,
        "parameters": [EXACT if of_version else TAG_NAME],
        "request": _a_request({"reason": REASON}),
        "responses": answers(
            {200: OpenApiResponse(WITHDRAWN if of_version else DEPRECATED)},
            (*CHANGING, *codes),
            conditional=False,
        ),
    }


YANK = _a_change("yank", "Withdraw a version", Code.VERSION_UNKNOWN)
UNYANK = _a_change("unyank", "Take a yank back", Code.VERSION_UNKNOWN, Code.CYCLE)
DEPRECATE = _a_change("deprecate", "Mark a tag as superseded") | {
    "request": _a_request({"reason": REASON}, successor=TAG)
}
UNDEPRECATE = _a_change("undeprecate", "Take a deprecation back")
ALIAS: dict[str, Any] = {
    "auth": WITH_TOKEN,
    "operation_id": "point_alias",
    "summary": "Make an alias, or point it elsewhere",
    "parameters": [
        ALIAS_NAME,
        header("If-Match", '"<the reference that it stands for so far>"'),
        header("If-None-Match", "*, where it must be new"),
        header("Location", "where the new alias resolves", of=[201], always=True),
    ],
    "request": _a_request({"reference": A_REFERENCE}),
    "responses": answers(
        {200: OpenApiResponse(POINTED), 201: OpenApiResponse(POINTED)},
        (
            *CHANGING,
            Code.NAMESPACE_UNKNOWN,
            Code.VERSION_UNKNOWN,
            Code.CYCLE,
            Code.PRECONDITION_FAILED,
        ),
        conditional=False,
    ),
}
