"""What the OpenAPI document says beside the shapes: parameters, headers, problems, conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)
from rest_framework.fields import empty

from registry.api.core import patterns
from registry.api.core.problem_serializers import ProblemSerializer
from registry.api.core.problems import MEDIA_TYPE, REQUEST_ID
from registry.api.core.request_serializers import RequestSerializer
from registry.domain.errors import Code
from registry.domain.reference import MAX_REFERENCE, MAX_TAG
from registry.http.problems import PROBLEMS

Schema = dict[str, Any]

ALWAYS = (
    Code.REQUEST_INVALID,
    Code.UNAUTHENTICATED,
    Code.RATE_LIMITED,  # of reads too, where a token is wrong again and again
    Code.BUSY,
    Code.INTERNAL,
)
READING = (Code.REFERENCE_INVALID, Code.TAG_UNKNOWN, Code.VERSION_UNKNOWN)
SENDING = (
    Code.JSON_INVALID,
    Code.REFERENCE_INVALID,
    Code.LENGTH_REQUIRED,
    Code.TOO_LARGE,
    Code.TOO_DEEP,
    Code.MEDIA_TYPE_UNSUPPORTED,
)
CHANGING = (Code.TAG_UNKNOWN, Code.CONFLICT)
OF_BODY = (
    Code.BODY_INVALID,
    Code.PARENT_INVALID,
    Code.CYCLE,
    Code.NOT_A_TARGET,
    Code.NOTHING_CHANGED,
    Code.CONFLICT,
    Code.PRECONDITION_FAILED,
)

HEADERS = {
    "Access-Control-Allow-Origin": "*: pages of any origin may read the answer",
    "Access-Control-Expose-Headers": "which headers pages of other origins may read",
    "Allow": "the methods of the resource",
    "Cache-Control": "how long the answer may be kept",
    "Retry-After": "seconds after which to try again",
    "Vary": "which headers of the request the answer depends on",
    "WWW-Authenticate": "how a token is sent",
    REQUEST_ID: "the id of the request, to ask an operator about",
}
OPTIONAL = "Allow"  # absent where a request is refused before its resource is looked for
OF_ALL = ("Access-Control-Allow-Origin", "Allow", "Cache-Control", REQUEST_ID)
OF_CONTENT = "Access-Control-Expose-Headers"
OF_STATUS = {
    "200": ("Vary",),
    "201": ("Vary",),
    "304": ("Vary",),
    "401": ("WWW-Authenticate",),
    "429": ("Retry-After",),
    "503": ("Retry-After",),
}


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


def in_path(name: str, schema: Schema, description: str, *example: Any) -> OpenApiParameter:
    """A parameter in the path; with the summary and the value of an example, if there is one."""
    examples = [OpenApiExample(example[0], value=example[1])] if example else []
    return OpenApiParameter(
        name, schema, OpenApiParameter.PATH, description=description, examples=examples
    )


def query(name: str, description: str, **more: Any) -> OpenApiParameter:
    """A parameter of the query string: text, unless `type` says otherwise."""
    return OpenApiParameter(name, description=description, **{"type": OpenApiTypes.STR} | more)


REFERENCE = in_path(
    "reference",
    {"type": "string", "maxLength": MAX_REFERENCE, "pattern": patterns.REFERENCE},
    "namespace/name[:variant][@version]; its slashes stand as they are",
    *("a line of versions", "nvidia/jetson-nano:cuda@1"),
)
EXACT = in_path(
    "reference",
    {"type": "string", "maxLength": MAX_REFERENCE, "pattern": patterns.EXACT},
    "namespace/name[:variant]@MAJOR.MINOR.PATCH",
    *("a version", "acme/board@1.0.0"),
)
TAG = in_path(
    "reference",
    {"type": "string", "maxLength": MAX_TAG, "pattern": patterns.ALIAS},
    "namespace/name[:variant]",
    *("a variant", "nvidia/jetson-nano:cuda"),
)
CURSOR = query("cursor", "where the page begins: as `next` of the one before has it")
IF_NONE_MATCH = header("If-None-Match", "an ETag seen before: 304 where nothing has changed")
ETAG = header("ETag", "strong; over the bytes of the answer", of=[200, 304], always=True)
GOOD = [200, 201, 304]
LOCATION = header("Content-Location", "the exact version, where the reference floats", of=GOOD)
TARGET_HEADERS = [
    header("Target-Version", "the version that answered", of=GOOD, always=True),
    header("Target-Digest", "the digest of its target", of=GOOD, always=True),
    header(
        "Target-Status",
        "active, yanked or deprecated; not where the answer is kept for ever",
        of=GOOD,
    ),
]


def operation(
    name: str,
    summary: str,
    response: Any,
    *codes: Code,
    parameters: Sequence[OpenApiParameter] = (),
    request: type[RequestSerializer] | None = None,
    status: int = 200,
    is_open: bool = True,
) -> Callable[[Any], Any]:
    """Describe the handler of one method of a resource.

    `response` is a serializer, or a mapping as `extend_schema` takes it. `codes` are the problems
    of this operation, beside those of all and those of all that send something. `is_open`:
    nobody needs a token.
    """
    sending = SENDING if request else ()
    rights = () if is_open else (Code.FORBIDDEN,)
    needed: Any = None if is_open else [{"token": []}]
    responses = response if isinstance(response, dict) else {status: response}
    return extend_schema(
        operation_id=name,
        summary=summary,
        auth=needed,
        parameters=[*parameters],
        request=request or empty,
        responses={**responses, **_problems((*ALWAYS, *sending, *rights, *codes))},
    )


def _problems(codes: Iterable[Code]) -> dict[Any, Any]:
    """A problem for each status that these codes have."""
    by_status: dict[int, list[Code]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(int(PROBLEMS[code].status), []).append(code)
    return {
        (status, MEDIA_TYPE): OpenApiResponse(
            _problem(codes_of_status),
            description="; ".join(f"{code}: {PROBLEMS[code].meaning}" for code in codes_of_status),
        )
        for status, codes_of_status in sorted(by_status.items())
    }


def _problem(codes: list[Code]) -> Schema:
    return {
        "allOf": [{"$ref": "#/components/schemas/Problem"}],
        "properties": {"code": {"enum": [str(code) for code in codes]}},
    }


class ResourceSchema(AutoSchema):
    """Adds what follows from the method: a GET is conditional, and every answer has headers."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Schema | None:
        """Describe one method of one route."""
        operation: Schema | None = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        self.resolve_serializer(ProblemSerializer, "response")  # for `problems` to refer to
        if "requestBody" in operation:
            operation["requestBody"]["required"] = True
        for status, answer in operation["responses"].items():
            references = {
                name: {"$ref": f"#/components/headers/{name}"} for name in _headers_of(status)
            }
            answer["headers"] = references | answer.get("headers", {})
            answer["description"] = answer["description"] or HTTPStatus(int(status)).phrase
        return operation

    def get_override_parameters(self) -> list[Any]:
        """Add the headers of a conditional request."""
        parameters = super().get_override_parameters()
        return [*parameters, IF_NONE_MATCH, ETAG] if self.method == "GET" else parameters

    def _get_response_bodies(self, direction: Any = "response") -> Schema:
        bodies: Schema = super()._get_response_bodies(direction)
        if self.method == "GET":
            known = OpenApiResponse(description="The asker has these bytes already.")
            bodies["304"] = self._get_response_for_code(known, "304", None, direction)
        return bodies

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Schema:
        schema: Schema = super()._map_basic_serializer(serializer, direction)
        if isinstance(serializer, RequestSerializer):
            schema |= serializer.keywords | {"additionalProperties": False}
        return schema


def _headers_of(status: str) -> tuple[str, ...]:
    exposed = () if status == "304" else (OF_CONTENT,)
    return (*OF_ALL, *exposed, *OF_STATUS.get(status, ()))


def finish(result: Schema, **_: Any) -> Schema:
    """Describe the headers once, and drop drf-spectacular's marks of enumerations.

    A hook of drf-spectacular's (settings).
    """
    result["components"]["headers"] = {
        name: {"description": text, "required": name != OPTIONAL, "schema": {"type": "string"}}
        for name, text in HEADERS.items()
    }
    unmarked: Schema = _without(result, "x-spec-enum-id")
    return unmarked


def _without(value: Any, mark: str) -> Any:
    if isinstance(value, list):
        return [_without(item, mark) for item in value]
    if isinstance(value, dict):
        return {key: _without(item, mark) for key, item in value.items() if key != mark}
    return value
