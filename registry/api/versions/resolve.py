"""GET resolve/<reference> and POST resolve: targets for one reference or for many."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlencode

import orjson
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from registry.api.core import parameters, responses
from registry.api.core.negotiation import find_format, negotiate_format
from registry.api.core.openapi_schema import (
    LOCATION,
    REFERENCE,
    REFERENCE_CODES,
    SUCCESS,
    TARGET_HEADERS,
    header,
    operation,
    query,
)
from registry.api.core.problems import body
from registry.api.core.request_bodies import RequestBody
from registry.api.core.resource import Resource
from registry.api.versions.resolution_serializers import (
    ResolutionSerializer,
    ResultsSerializer,
    export_serializer,
)
from registry.domain.errors import Code, Refused
from registry.domain.exporting import Loss
from registry.domain.reference import Reference
from registry.http import request_members
from registry.http.caching import CachePolicy, version_policy
from registry.http.names import ANSWER_TAGS
from registry.services.core import usage
from registry.services.versions import exporting, resolving
from registry.services.versions.exporting import (
    EXPORT_FORMATS,
    ExportFormat,
    ExportOptions,
    Rendering,
)
from registry.services.versions.resolving import ResolvedReference

MAX_BATCH = 1000  # references of one request
MAX_DROPPED = 50  # pointers in the header Target-Dropped, because servers limit header sizes


RESOLUTION = ResolutionSerializer()


def _response_schema(form: ExportFormat) -> Any:
    """Return the serializer or schema of responses in a format."""
    if form.name == "json":
        return ResolutionSerializer
    if form.written is None:
        return {"type": "object"}
    return export_serializer(form) if form.is_json else {"type": "string"}


class Resolve(Resource):
    """The target of a reference, as stored text."""

    @operation(
        "resolve",
        "Resolve a reference to its target",
        {(200, form.media_type): _response_schema(form) for form in EXPORT_FORMATS.values()},
        *REFERENCE_CODES,
        Code.FORMAT_UNKNOWN,
        Code.FORMAT_UNFIT,
        Code.FORMAT_LOSSY,
        Code.NODE_UNKNOWN,
        Code.NOT_A_TARGET,
        parameters=[
            REFERENCE,
            query("format", "the format by name; overrides Accept", enum=list(EXPORT_FORMATS)),
            query("node", "JSON pointer of a node: return only that node, closed"),
            query(
                "record",
                "1: record the origin of nodes in their tag, in formats that can",
                enum=["0", "1"],
            ),
            query(
                "strict",
                "1: fail with FORMAT_LOSSY if the format has to drop a value",
                enum=["0", "1"],
            ),
            *TARGET_HEADERS,
            header(
                "Target-Dropped", "JSON pointers of values that a text format drops", of=SUCCESS
            ),
            LOCATION,
        ],
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Resolve a reference in the requested format."""
        http_request = request._request  # DRF looks up each attribute of its own twice
        options = ExportOptions(
            negotiate_format(http_request),
            should_record=parameters.parse_switch(http_request, "record"),
            is_strict=parameters.parse_switch(http_request, "strict"),
        )
        answer = resolving.resolve(reference)
        if node := http_request.GET.get("node"):
            answer = resolving.select_node(answer, node)
        response = export_response(http_request, answer, options)
        http_request.META[ANSWER_TAGS] = answer.tags
        if http_request.method == "GET":
            _count(http_request, answer)
        return response


def _refuse_many(references: list[str]) -> None:
    if len(references) > MAX_BATCH:
        detail = f"{len(references)} references are too many: at most {MAX_BATCH}."
        raise Refused(Code.TOO_LARGE, detail)


RESOLVE_MANY = RequestBody(
    "ResolveManyRequest",
    "References to resolve, with the export options.",
    {
        "references": request_members.texts({}, MAX_BATCH, _refuse_many),
        "format": request_members.choice(EXPORT_FORMATS, find_format, EXPORT_FORMATS["json"]),
        "record": request_members.switch(),
        "strict": request_members.switch(),
    },
    max_bytes=512 * 1024,  # enough for the longest references
)


class ResolveMany(Resource):
    """Many references resolved in one request."""

    reads_by_post = True
    throttle_classes = ()  # a read, in spite of POST

    @operation(
        "resolve_many",
        "Resolve up to 1,000 references",
        ResultsSerializer,
        Code.FORMAT_UNKNOWN,
        Code.FORMAT_UNFIT,
        request=RESOLVE_MANY,
    )
    def post(self, request: Request) -> HttpResponse:
        """Return a resolution or a problem for each reference, in their order."""
        values = RESOLVE_MANY.read(request)
        options = ExportOptions(
            values["format"], should_record=values["record"], is_strict=values["strict"]
        )
        references = values["references"]
        resolved = dict(zip(references, resolving.resolve_all(references), strict=True))
        answers: Sequence[ResolvedReference | Rendering | Refused] = list(resolved.values())
        if options.form is not EXPORT_FORMATS["json"]:
            answers = exporting.render_all(list(resolved.values()), options)
        results = dict(zip(resolved, (_result(item, options) for item in answers), strict=True))
        text = f'{{"results":[{",".join(results[reference] for reference in references)}]}}'
        resolving.refuse_too_large(len(text.encode()))
        for item, answer in zip(resolved.values(), answers, strict=True):
            if isinstance(item, ResolvedReference) and not isinstance(answer, Refused):
                usage.count(item.version.tag.text)
        return responses.of(request, text, policy=CachePolicy.NO_STORE)


def _count(request: HttpRequest, answer: ResolvedReference) -> None:
    """Count a response for its tag, and name the tag to the server, which may repeat it."""
    tag = answer.version.tag.text
    usage.count(tag)
    request.META[usage.RESOLVED_TAG] = tag


def _result(answer: ResolvedReference | Rendering | Refused, options: ExportOptions) -> str:
    """Return one result as JSON; text becomes an object with the text and the dropped values."""
    if isinstance(answer, Refused):
        return json.dumps(body(answer), ensure_ascii=False)
    if isinstance(answer, ResolvedReference):
        return _resolution(answer)
    if options.form.is_json:
        return answer.text
    result = {"text": answer.text, "dropped": [loss.as_json for loss in answer.dropped]}
    return json.dumps(result, ensure_ascii=False)


def _resolution(answer: ResolvedReference) -> str:
    return orjson.dumps(RESOLUTION.to_representation(answer)).decode()


def export_response(
    request: HttpRequest, answer: ResolvedReference, options: ExportOptions, status: int = 200
) -> HttpResponse:
    """Return a resolved reference in a format, with its headers."""
    is_resolution = options.form is EXPORT_FORMATS["json"]
    rendering = (
        Rendering(_resolution(answer)) if is_resolution else exporting.render(answer, options)
    )
    is_exact = not (answer.is_floating or answer.is_alias)
    policy = version_policy(is_exact=is_exact, is_closed=options.form.is_closed)
    response = responses.of(
        request,
        rendering.text,
        media_type=options.form.media_type,
        policy=policy,
        status=status,
    )
    response["Target-Version"] = answer.exact.partition("@")[2]
    response["Target-Digest"] = answer.digest
    if answer.build_key:
        response["Target-Build-Key"] = answer.build_key
    if policy is not CachePolicy.IMMUTABLE:  # a cached status would become stale
        response["Target-Status"] = answer.status
    if rendering.dropped and not options.form.is_json:
        response["Target-Dropped"] = _dropped_header(rendering.dropped)
    if not is_exact:
        response["Content-Location"] = _location(answer, options)
    return response


def _dropped_header(dropped: Iterable[Loss]) -> str:
    """Return pointers as a list of strings (RFC 9651), at most 50, then the number of others.

    Names of options and labels of devices are ASCII without quotes and backslashes.
    """
    pointers = [f'"{loss.pointer}"' for loss in dropped]
    items, omitted = pointers[:MAX_DROPPED], len(pointers) - MAX_DROPPED
    return ", ".join([*items, str(omitted)] if omitted > 0 else items)


@cache
def _resolutions() -> str:
    """Return the path of all resolutions. Exact references follow it; they need no quoting."""
    return reverse("api:resolve", args=[""])


def _location(answer: ResolvedReference, options: ExportOptions) -> str:
    path = f"{_resolutions()}{answer.exact}"
    params = {
        **({"format": options.form.name} if options.form.name != "json" else {}),
        **({"node": answer.part.pointer} if answer.part else {}),
        **({"record": "1"} if options.should_record else {}),
        **({"strict": "1"} if options.is_strict else {}),
    }
    return f"{path}?{urlencode(params, safe='/')}" if params else path
