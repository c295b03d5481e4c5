"""GET resolve/<reference> and POST resolve: targets for one reference or for many."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

import orjson
from django.http import HttpResponse
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from rest_framework.request import Request

from registry.api.core import parameters, request_bodies, responses
from registry.api.core.negotiation import find_format, negotiate_format
from registry.api.core.openapi_schema import (
    GOOD,
    LOCATION,
    READING,
    REFERENCE,
    TARGET_HEADERS,
    header,
    operation,
    query,
)
from registry.api.core.problems import body
from registry.api.core.request_serializers import MAX_BATCH, ResolveManyRequestSerializer
from registry.api.core.resource import Resource
from registry.api.versions.resolution_serializers import (
    ResolutionSerializer,
    ResultsSerializer,
    export_serializer,
)
from registry.domain.errors import Code, Refused
from registry.domain.exporting import Loss
from registry.domain.reference import Reference
from registry.http.caching import Policy, version_policy
from registry.services.versions import exporting, resolving
from registry.services.versions.exporting import (
    EXPORT_FORMATS,
    ExportFormat,
    ExportOptions,
    Rendering,
)
from registry.services.versions.resolving import ResolvedReference

MOST_NAMED = 50  # places that the header Target-Dropped names; servers bound their headers


RESOLUTION = ResolutionSerializer()


def _content(form: ExportFormat) -> Any:
    """Return the shape of an answer in a format."""
    if form.name == "json":
        return ResolutionSerializer
    if form.written is None:
        return {"type": "object"}
    return export_serializer(form) if form.is_json else {"type": "string"}


class Resolve(Resource):
    """A reference resolved to its target: stored text, found with two queries."""

    parameters = frozenset({"format", "node", "record", "strict"})

    @operation(
        "resolve",
        "Resolve a reference to its target",
        {**{(200, form.media_type): _content(form) for form in EXPORT_FORMATS.values()}},
        *READING,
        Code.FORMAT_UNKNOWN,
        Code.FORMAT_UNFIT,
        Code.FORMAT_LOSSY,
        Code.NODE_UNKNOWN,
        Code.NOT_A_TARGET,
        parameters=[
            REFERENCE,
            query("format", "the format by name; wins over Accept", enum=list(EXPORT_FORMATS)),
            query("node", "JSON pointer of a node: the answer is that node, closed"),
            query(
                "record",
                "1: nodes say in their tag where they come from, in formats that can",
                enum=["0", "1"],
            ),
            query(
                "strict",
                "1: FORMAT_LOSSY where the format has to leave something out",
                enum=["0", "1"],
            ),
            *TARGET_HEADERS,
            header("Target-Dropped", "what a text format leaves out, by JSON pointers", of=GOOD),
            LOCATION,
        ],
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Resolve a reference in the format asked for."""
        wish = ExportOptions(
            negotiate_format(request._request),
            is_recorded=parameters.parse_switch(request._request, "record"),
            is_strict=parameters.parse_switch(request._request, "strict"),
        )
        answer = resolving.resolve(reference)
        if node := request.GET.get("node"):
            answer = resolving.select_node(answer, node)
        return rendered(request, answer, wish)


class ResolveMany(Resource):
    """Many references resolved in one request."""

    reads_by_post = True
    throttle_classes = ()  # a read, though it is sent

    @operation(
        "resolve_many",
        "Resolve up to 1,000 references",
        ResultsSerializer,
        Code.FORMAT_UNKNOWN,
        Code.FORMAT_UNFIT,
        request=ResolveManyRequestSerializer,
    )
    def post(self, request: Request) -> HttpResponse:
        """A resolution or a problem for each reference, in their order."""
        members = request_bodies.read(request._request, ResolveManyRequestSerializer)
        wish = ExportOptions(
            find_format(members["format"]),
            is_recorded=members["record"],
            is_strict=members["strict"],
        )
        references = members["references"]
        if len(references) > MAX_BATCH:
            detail = f"{len(references)} references are too many: at most {MAX_BATCH}."
            raise Refused(Code.TOO_LARGE, detail)
        answered = dict(zip(references, resolving.resolve_all(references), strict=True))
        whole = list(answered.values())
        found = whole if wish.form is EXPORT_FORMATS["json"] else exporting.render_all(whole, wish)
        results = dict(zip(answered, (_result(each, wish) for each in found), strict=True))
        text = f'{{"results":[{",".join(results[reference] for reference in references)}]}}'
        resolving.refuse_too_large(len(text.encode()))
        return responses.of(request._request, text, policy=Policy.NO_STORE)


def _result(found: ResolvedReference | Rendering | Refused, wish: ExportOptions) -> str:
    """Return one result as JSON; text formats become an object with the text and what it drops."""
    if isinstance(found, Refused):
        return json.dumps(body(found), ensure_ascii=False)
    if isinstance(found, ResolvedReference):
        return _resolution(found)
    if wish.form.is_json:
        return found.text
    said = {"text": found.text, "dropped": [loss.as_json for loss in found.dropped]}
    return json.dumps(said, ensure_ascii=False)


def _resolution(answer: ResolvedReference) -> str:
    return orjson.dumps(RESOLUTION.to_representation(answer)).decode()


def rendered(
    request: Request, answer: ResolvedReference, wish: ExportOptions, status: int = 200
) -> HttpResponse:
    """Return a resolved reference in a format, with its headers."""
    is_whole = wish.form is EXPORT_FORMATS["json"]
    rendering = Rendering(_resolution(answer)) if is_whole else exporting.render(answer, wish)
    is_exact = not (answer.is_floating or answer.is_alias)
    policy = version_policy(is_exact=is_exact, is_closed=wish.form.is_closed)
    response = responses.of(
        request._request,
        rendering.text,
        media_type=wish.form.media_type,
        policy=policy,
        status=status,
    )
    response["Target-Version"] = answer.exact.partition("@")[2]
    response["Target-Digest"] = answer.digest
    if policy is not Policy.IMMUTABLE:  # kept for a year, it could not say what happens then
        response["Target-Status"] = answer.status
    if rendering.dropped and not wish.form.is_json:
        response["Target-Dropped"] = _header(rendering.dropped)
    if not is_exact:
        response["Content-Location"] = _location(answer, wish)
    return response


def _header(dropped: Iterable[Loss]) -> str:
    """Return pointers as a list of strings (RFC 9651), at most 50, then the number of others.

    Names of options and labels of devices are ASCII without quotes and backslashes.
    """
    places = [f'"{loss.pointer}"' for loss in dropped]
    named, more = places[:MOST_NAMED], len(places) - MOST_NAMED
    return ", ".join([*named, str(more)] if more > 0 else named)


def _location(answer: ResolvedReference, wish: ExportOptions) -> str:
    path = iri_to_uri(reverse("api:resolve", args=[answer.exact]))
    asked = {
        **({"format": wish.form.name} if wish.form.name != "json" else {}),
        **({"node": answer.part.pointer} if answer.part else {}),
        **({"record": "1"} if wish.is_recorded else {}),
        **({"strict": "1"} if wish.is_strict else {}),
    }
    return f"{path}?{urlencode(asked, safe='/')}" if asked else path
