"""The OpenAPI document apart from the serializers: parameters, headers, errors, conditions."""

from __future__ import annotations

import re
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

from registry.api.core.problem_serializers import ProblemSerializer
from registry.api.core.problems import MEDIA_TYPE
from registry.api.core.request_bodies import RequestBody
from registry.domain.errors import Code
from registry.http import patterns
from registry.http.names import REQUEST_ID
from registry.http.problems import PROBLEMS
from registry.services.core.paging import PAGE
from ttag_rules.names import MAX_REFERENCE, MAX_TAG

Schema = dict[str, Any]

COMMON_CODES = (
    Code.REQUEST_INVALID,
    Code.UNAUTHENTICATED,
    Code.RATE_LIMITED,  # for reads too, after many invalid tokens
    Code.BUSY,
    Code.STORAGE_FULL,
    Code.READ_ONLY,
    Code.STORAGE_DAMAGED,
    Code.INTERNAL,
)
REFERENCE_CODES = (Code.REFERENCE_INVALID, Code.TAG_UNKNOWN, Code.VERSION_UNKNOWN)
REQUEST_BODY_CODES = (
    Code.JSON_INVALID,
    Code.REFERENCE_INVALID,
    Code.REQUEST_TIMEOUT,
    Code.LENGTH_REQUIRED,
    Code.TOO_LARGE,
    Code.TOO_DEEP,
    Code.MEDIA_TYPE_UNSUPPORTED,
)
CHANGE_CODES = (Code.TAG_UNKNOWN, Code.CONFLICT)

HEADERS = {
    "Access-Control-Allow-Origin": "*: pages of any origin may read the response",
    "Access-Control-Expose-Headers": "the headers that pages of other origins may read",
    "Allow": "the methods of the resource",
    "Cache-Control": "how long the response may be cached",
    "Retry-After": "the number of seconds to wait before the next attempt",
    "Vary": "the request headers that the response depends on",
    "WWW-Authenticate": "the authentication scheme",
    REQUEST_ID: "the id of the request, for questions to the operator",
}
OPTIONAL = "Allow"  # absent if a request is rejected before routing
COMMON_RESPONSE_HEADERS = (
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
    "Allow",
    "Cache-Control",
    REQUEST_ID,
)
STATUS_HEADERS = {
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
    """Describe a header of requests or, with `of`, of responses with these statuses."""
    return OpenApiParameter(
        name,
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        required=always,
        description=description,
        response=of or False,
    )


def in_path(name: str, schema: Schema, description: str, *example: Any) -> OpenApiParameter:
    """Describe a path parameter; `example` is the summary and value of an example."""
    examples = [OpenApiExample(example[0], value=example[1])] if example else []
    return OpenApiParameter(
        name, schema, OpenApiParameter.PATH, description=description, examples=examples
    )


def query(name: str, description: str, **options: Any) -> OpenApiParameter:
    """Describe a parameter of the query string: text, unless `type` is given."""
    return OpenApiParameter(name, description=description, **{"type": OpenApiTypes.STR} | options)


REFERENCE = in_path(
    "reference",
    {"type": "string", "maxLength": MAX_REFERENCE, "pattern": patterns.REFERENCE},
    "namespace/name[:variant][@version], with unescaped slashes",
    "a line of versions",
    "nvidia/jetson-nano:cuda@1",
)
EXACT = in_path(
    "reference",
    {"type": "string", "maxLength": MAX_REFERENCE, "pattern": patterns.EXACT},
    "namespace/name[:variant]@MAJOR.MINOR.PATCH",
    "a version",
    "acme/board@1.0.0",
)
TAG = in_path(
    "reference",
    {"type": "string", "maxLength": MAX_TAG, "pattern": patterns.ALIAS},
    "namespace/name[:variant]",
    "a variant",
    "nvidia/jetson-nano:cuda",
)
NUMBER = re.compile(r"[1-9][0-9]{0,17}")  # of a row in a path; more digits fit in no column


def number_in_path(noun: str) -> OpenApiParameter:
    """Describe the number of a row in a path."""
    schema = {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}
    return in_path("number", schema, f"the number of the {noun}", "the first", 1)


CURSOR = query("cursor", "the start of the page, from `next` of the previous page")
LIMIT = query(
    "limit",
    f"the number of results on a page, up to {PAGE}",
    type={"type": "integer", "minimum": 1, "maximum": PAGE},
)
PAGED = (LIMIT, CURSOR)  # the parameters of a list
IF_NONE_MATCH = header("If-None-Match", "an earlier ETag: the status is 304 if nothing has changed")
ETAG = header("ETag", "strong, over the bytes of the response", of=[200, 304], always=True)
SUCCESS = [200, 201, 304]
LOCATION = header("Content-Location", "the exact version, if the reference is floating", of=SUCCESS)
TARGET_HEADERS = [
    header("Target-Version", "the resolved version", of=SUCCESS, always=True),
    header("Target-Digest", "the digest of its target", of=SUCCESS, always=True),
    header(
        "Target-Build-Key",
        "its build key; absent for mixins and host-dependent targets",
        of=SUCCESS,
    ),
    header(
        "Target-Status",
        "active, yanked or deprecated; absent from immutable responses",
        of=SUCCESS,
    ),
]


def operation(
    name: str,
    summary: str,
    response: Any,
    *codes: Code,
    parameters: Sequence[OpenApiParameter] = (),
    request: RequestBody | None = None,
    status: int = 200,
    needs_token: bool = False,
) -> Callable[[Any], Any]:
    """Describe the handler of one method of a resource.

    `response` is a serializer, or a mapping as `extend_schema` takes it. `codes` are the errors of
    this operation, in addition to common ones, those of request bodies and those of lists.
    A `Resource` takes no other parameters of the query string than these, and several of one name
    only if they are exploded lists.
    """
    page_codes = [Code.FILTER_INVALID] if any(each in PAGED for each in parameters) else []
    body_codes = REQUEST_BODY_CODES if request else ()
    permission_codes = (Code.FORBIDDEN,) if needs_token else ()
    security: Any = [{"token": []}] if needs_token else None
    responses = response if isinstance(response, dict) else {status: response}
    all_codes = (*COMMON_CODES, *body_codes, *permission_codes, *codes, *page_codes)
    describe: Callable[[Any], Any] = extend_schema(
        operation_id=name,
        summary=summary,
        auth=security,
        parameters=[*parameters],
        request=request or empty,
        responses={**responses, **_problems(all_codes)},
    )

    def decorated(handler: Any) -> Any:
        handler.query_names = {each.name for each in parameters if each.location == each.QUERY}
        handler.list_names = {each.name for each in parameters if each.explode}
        return describe(handler)

    return decorated


def _problems(codes: Iterable[Code]) -> dict[Any, Any]:
    """Return the description of a problem for each status of these codes."""
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
    """Adds conditional requests to GET, and the common headers to every response."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Schema | None:
        """Describe one method of one route."""
        operation: Schema | None = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        self.resolve_serializer(ProblemSerializer, "response")  # `_problem` refers to it
        if "requestBody" in operation:
            operation["requestBody"]["required"] = True
        for status, response in operation["responses"].items():
            names = (*COMMON_RESPONSE_HEADERS, *STATUS_HEADERS.get(status, ()))
            references = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
            response["headers"] = references | response.get("headers", {})
            response["description"] = response["description"] or HTTPStatus(int(status)).phrase
        return operation

    def get_override_parameters(self) -> list[Any]:
        """Add the headers of a conditional request."""
        parameters = super().get_override_parameters()
        return [*parameters, IF_NONE_MATCH, ETAG] if self.method == "GET" else parameters

    def _get_response_bodies(self, direction: Any = "response") -> Schema:
        bodies: Schema = super()._get_response_bodies(direction)
        if self.method == "GET":
            not_modified = OpenApiResponse(description="The client's copy is current.")
            bodies["304"] = self._get_response_for_code(not_modified, "304", None, direction)
        return bodies


def finish(result: Schema, **_: Any) -> Schema:
    """Describe the common headers, and drop drf-spectacular's marks of enumerations.

    A postprocessing hook of drf-spectacular (see the settings).
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
