"""What the OpenAPI document says of each resource: parameters, answers, headers, errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiRequest, OpenApiResponse

from registry.api.formats import FORMATS
from registry.api.problems import MEDIA_TYPE
from registry.domain.errors import Code
from registry.domain.number import Bump
from registry.services.problems import PROBLEMS

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
DATE: Schema = {"type": "string", "format": "date-time"}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _or_null(schema: Schema) -> Schema:
    return {"oneOf": [schema, {"type": "null"}]}


def _list(item: Schema) -> Schema:
    return {"type": "array", "items": item}


FAULT = _object(pointer=TEXT, code=TEXT, message=TEXT, expected=TEXT, found=TEXT, suggestions=TEXTS)
PROBLEM = _object(
    type=TEXT,
    title=TEXT,
    status={"type": "integer"},
    detail=TEXT,
    code={"type": "string", "enum": [str(code) for code in Code]},
    errors=_list(FAULT),
    suggestions=TEXTS,
)
KEYS: Schema = {"type": "object", "additionalProperties": TEXT}
DEPENDENCY = _object(
    pointer=TEXT,
    requested=TEXT,
    resolved=TEXT,
    relation={"type": "string", "enum": ["inherits", "composes"]},
)
WARNING: Schema = {
    "type": "object",
    "properties": {"code": TEXT, "message": TEXT, "successor": TEXT},
    "required": ["code", "message"],
}
RESOLUTION = _object(
    reference=TEXT,
    tag=TEXT,
    version=TEXT,
    digest=TEXT,
    published=DATE,
    status={"type": "string", "enum": ["active", "yanked", "deprecated"]},
    target={"type": "object"},
    tuning_keys=KEYS,
    lineage=TEXTS,
    dependencies=_list(DEPENDENCY),
    warnings=_list(WARNING),
)
SUMMARY = _object(
    reference=TEXT,
    version=TEXT,
    digest=TEXT,
    kind=_or_null(TEXT),
    published=DATE,
    publisher=TEXT,
    message=TEXT,
    sources=TEXTS,
    status={"type": "string", "enum": ["active", "yanked"]},
    yanked=_or_null(TEXT),
)
TAG_SHOWN = _object(
    tag=TEXT,
    namespace=TEXT,
    name=TEXT,
    variant=_or_null(TEXT),
    aliases=TEXTS,
    status={"type": "string", "enum": ["active", "yanked", "deprecated"]},
    deprecated=_or_null(_object(reason=TEXT, successor=_or_null(TEXT))),
    newest=_or_null(SUMMARY),
    last_published=TEXT,
    versions={"type": "integer"},
)
VERSIONS_SHOWN = _object(tag=TEXT, last_published=TEXT, results=_list(SUMMARY), next=_or_null(TEXT))
SIDE = _or_null(
    {
        "type": "object",
        "properties": {"value": {}, "from": _or_null(TEXT)},
        "required": ["value", "from"],
    }
)
CHANGE = _object(
    pointer=TEXT, old=SIDE, new=SIDE, consumers=TEXTS, affects_tuning={"type": "boolean"}
)
VERDICT = _object(
    valid={"type": "boolean"},
    errors=_list(FAULT),
    target=_or_null({"type": "object"}),
    digest=_or_null(TEXT),
    tuning_keys=_or_null(KEYS),
    version=_or_null(TEXT),
    bump=_or_null({"type": "string", "enum": [str(bump) for bump in Bump]}),
    diff=_list(CHANGE),
    lints=_list(FAULT),
    notes=TEXTS,
)
KINDS_SHOWN = _object(
    results=_list(
        _object(
            name=TEXT,
            role=TEXT,
            revision={"type": "integer"},
            description=TEXT,
            options=TEXTS,
            schema=TEXT,
        )
    ),
    next=_or_null(TEXT),
    body=TEXT,
)

REFERENCE = OpenApiParameter(
    "reference",
    OpenApiTypes.STR,
    OpenApiParameter.PATH,
    description="namespace/name[:variant][@version]; its slashes stand as they are",
)
TAG_NAME = OpenApiParameter(
    "reference", OpenApiTypes.STR, OpenApiParameter.PATH, description="namespace/name[:variant]"
)


def _header(name: str, description: str, *, of: list[int] | None = None) -> OpenApiParameter:
    """A header of requests, or of answers with these statuses."""
    return OpenApiParameter(
        name,
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        description=description,
        response=of or False,
    )


FORMAT = OpenApiParameter(
    "format",
    OpenApiTypes.STR,
    enum=list(FORMATS),
    description="the format by name; wins over Accept",
)
IF_NONE_MATCH = _header("If-None-Match", "an ETag seen before: 304 where nothing has changed")
CACHED = [
    _header("ETag", "strong; over the bytes of the answer", of=[200]),
    _header("Cache-Control", "how long the answer may be kept", of=[200]),
]
TARGET_HEADERS = [
    _header("Target-Version", "the version that answered", of=[200]),
    _header("Target-Digest", "the digest of its target", of=[200]),
    _header(
        "Target-Status",
        "active, yanked or deprecated; not where the answer is kept for ever",
        of=[200],
    ),
    _header("Content-Location", "the exact version, where the reference floats", of=[200]),
]


def _answers(
    good: dict[Any, Any], codes: Iterable[Code], *, conditional: bool = True
) -> dict[Any, Any]:
    """The good answers, and a problem for each status that the codes have."""
    by_status: dict[int, list[Code]] = {}
    for code in codes:
        by_status.setdefault(int(PROBLEMS[code].status), []).append(code)
    for status, found in sorted(by_status.items()):
        words = "; ".join(f"{code}: {PROBLEMS[code].meaning}" for code in found)
        good[(status, MEDIA_TYPE)] = OpenApiResponse(PROBLEM, description=words)
    if conditional:
        good[304] = OpenApiResponse(description="The asker has these bytes already.")
    return good


READING = (Code.REFERENCE_INVALID, Code.TAG_UNKNOWN, Code.VERSION_UNKNOWN, Code.UNAUTHENTICATED)
SENDING = (
    Code.REQUEST_INVALID,
    Code.JSON_INVALID,
    Code.REFERENCE_INVALID,
    Code.LENGTH_REQUIRED,
    Code.TOO_LARGE,
    Code.MEDIA_TYPE_UNSUPPORTED,
    Code.UNAUTHENTICATED,
)

RESOLVE: dict[str, Any] = {
    "operation_id": "resolve",
    "summary": "Resolve a reference to its target",
    "parameters": [REFERENCE, FORMAT, IF_NONE_MATCH, *CACHED, *TARGET_HEADERS],
    "responses": _answers(
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
    "responses": _answers(
        {(200, FORMATS["target"].media_type): OpenApiResponse({"type": "object"})},
        (Code.REFERENCE_INVALID, Code.DIGEST_UNKNOWN, Code.UNAUTHENTICATED),
    ),
}
TAG: dict[str, Any] = {
    "operation_id": "tag",
    "summary": "A tag with its newest version",
    "parameters": [TAG_NAME, IF_NONE_MATCH, *CACHED],
    "responses": _answers({200: OpenApiResponse(TAG_SHOWN)}, READING),
}
VERSIONS: dict[str, Any] = {
    "operation_id": "versions",
    "summary": "All versions of a tag",
    "parameters": [TAG_NAME, IF_NONE_MATCH, *CACHED],
    "responses": _answers({200: OpenApiResponse(VERSIONS_SHOWN)}, READING),
}
PUBLISH: dict[str, Any] = {
    "operation_id": "publish",
    "summary": "Publish the next version of a tag",
    "parameters": [
        TAG_NAME,
        _header("If-Match", '"<number of the most recently published version>"'),
        _header("If-None-Match", "*, for a tag's first version"),
        _header("Location", "where the new version resolves", of=[201]),
    ],
    "request": OpenApiRequest(
        {
            "type": "object",
            "properties": {"target": {"type": "object"}, "message": TEXT, "sources": TEXTS},
            "required": ["target"],
            "additionalProperties": False,
        }
    ),
    "responses": _answers(
        {201: OpenApiResponse(RESOLUTION)},
        (
            *SENDING,
            Code.FORBIDDEN,
            Code.NAMESPACE_UNKNOWN,
            Code.TAG_UNKNOWN,
            Code.BODY_INVALID,
            Code.PARENT_INVALID,
            Code.CYCLE,
            Code.TOO_DEEP,
            Code.NOT_A_TARGET,
            Code.NOTHING_CHANGED,
            Code.CONFLICT,
            Code.PRECONDITION_REQUIRED,
            Code.PRECONDITION_FAILED,
            Code.BUSY,
        ),
        conditional=False,
    ),
}
CHECK: dict[str, Any] = {
    "operation_id": "check",
    "summary": "What publishing a body would do",
    "request": OpenApiRequest(
        {
            "type": "object",
            "properties": {"tag": TEXT, "target": {"type": "object"}},
            "required": ["tag", "target"],
            "additionalProperties": False,
        }
    ),
    "responses": _answers({200: OpenApiResponse(VERDICT)}, SENDING, conditional=False),
}
KINDS: dict[str, Any] = {
    "operation_id": "kinds",
    "summary": "All kinds in force",
    "parameters": [IF_NONE_MATCH, *CACHED],
    "responses": _answers({200: OpenApiResponse(KINDS_SHOWN)}, (Code.UNAUTHENTICATED,)),
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
    "responses": _answers(
        {(200, "application/schema+json"): OpenApiResponse({"type": "object"})},
        (Code.KIND_UNKNOWN, Code.UNAUTHENTICATED),
    ),
}
