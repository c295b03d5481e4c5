"""Resolving, as the OpenAPI document describes it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiRequest, OpenApiResponse

from registry.api.described.words import (
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
from registry.domain.errors import Code
from registry.domain.reference import DIGEST as EXACT_DIGEST
from registry.services.exporting import FORMS, Form

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

LOSS = component("Loss", an_object(pointer=TEXT, reason=TEXT))


ANY: Schema = {"type": ["object", "array"]}


def switch(name: str, description: str) -> OpenApiParameter:
    """A parameter that is 1 or 0."""
    return OpenApiParameter(name, OpenApiTypes.STR, enum=["0", "1"], description=description)


def _content(form: Form) -> Schema:
    """What an answer in a format looks like."""
    if form.name == "json":
        return RESOLUTION
    if form.written is None:
        return {"type": "object"}
    if not form.is_json:
        return TEXT
    return an_object(**dict.fromkeys(form.written.members, ANY), dropped=a_list(LOSS))


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
        switch("record", "1: nodes say in their tag where they come from, in formats that can"),
        switch("strict", "1: FORMAT_LOSSY where the format has to leave something out"),
        IF_NONE_MATCH,
        *CACHED,
        *TARGET_HEADERS,
        header("Target-Dropped", "what a text format leaves out, by JSON pointers", of=GOOD),
        LOCATION,
    ],
    "responses": answers(
        {(200, form.media_type): OpenApiResponse(_content(form)) for form in FORMS.values()},
        (
            *READING,
            Code.FORMAT_UNKNOWN,
            Code.FORMAT_UNFIT,
            Code.FORMAT_LOSSY,
            Code.NODE_UNKNOWN,
            Code.NOT_A_TARGET,
        ),
    ),
}

# A target alone in that format; there is no telling one from the others by its members.
RESULT: Schema = {"anyOf": [RESOLUTION, PROBLEM, {"type": "object"}]}
YES_OR_NO: Schema = {"type": "boolean"}

RESOLVE_MANY: dict[str, Any] = {
    "operation_id": "resolve_many",
    "summary": "Resolve up to 1,000 references",
    "request": OpenApiRequest(
        {
            "type": "object",
            "properties": {
                "references": {**TEXTS, "maxItems": 1000},
                "format": {"type": "string", "enum": list(FORMS)},
                "record": YES_OR_NO,
                "strict": YES_OR_NO,
            },
            "required": ["references"],
            "additionalProperties": False,
        }
    ),
    "responses": answers(
        {200: OpenApiResponse(an_object(results=a_list(RESULT)))},
        (*SENDING, Code.FORMAT_UNKNOWN, Code.FORMAT_UNFIT),
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
        {(200, FORMS["target"].media_type): OpenApiResponse({"type": "object"})},
        (Code.REFERENCE_INVALID, Code.DIGEST_UNKNOWN, *ALWAYS),
    ),
}
