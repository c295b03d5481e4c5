"""GET resolve/<reference>, POST resolve: the main job, for one reference or for many."""

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

from registry.api import answers, bodies, parameters
from registry.api.base import Resource
from registry.api.negotiation import chosen, named
from registry.api.problems import body
from registry.api.schema import (
    GOOD,
    LOCATION,
    READING,
    REFERENCE,
    TARGET_HEADERS,
    header,
    operation,
    query,
)
from registry.api.serializers.requests import MAX_BATCH, ResolveManyRequestSerializer
from registry.api.serializers.resolutions import (
    ResolutionSerializer,
    ResultsSerializer,
    export_serializer,
)
from registry.domain.errors import Code, Refused
from registry.domain.exporting import Loss
from registry.domain.reference import Reference
from registry.http.caching import Policy, version_policy
from registry.services import exporting, resolving
from registry.services.exporting import FORMS, Form, Rendering, Wish
from registry.services.resolving import Answer

MOST_NAMED = 50  # places that the header Target-Dropped names; servers bound their headers


RESOLUTION = ResolutionSerializer()


def _content(form: Form) -> Any:
    """Return the shape of an answer in a format."""
    if form.name == "json":
        return ResolutionSerializer
    if form.written is None:
        return {"type": "object"}
    return export_serializer(form) if form.is_json else {"type": "string"}


class Resolve(Resource):
    """Reference to target: stored text, found with two queries."""

    parameters = frozenset({"format", "node", "record", "strict"})

    @operation(
        "resolve",
        "Resolve a reference to its target",
        {**{(200, form.media_type): _content(form) for form in FORMS.values()}},
        *READING,
        Code.FORMAT_UNKNOWN,
        Code.FORMAT_UNFIT,
        Code.FORMAT_LOSSY,
        Code.NODE_UNKNOWN,
        Code.NOT_A_TARGET,
        parameters=[
            REFERENCE,
            query("format", "the format by name; wins over Accept", enum=list(FORMS)),
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
        wish = Wish(
            chosen(request._request),
            is_recorded=parameters.switch(request._request, "record"),
            is_strict=parameters.switch(request._request, "strict"),
        )
        answer = resolving.resolve(reference)
        if node := request.GET.get("node"):
            answer = resolving.at(answer, node)
        return rendered(request, answer, wish)


class ResolveMany(Resource):
    """Many references at once: for a build that is made of many targets."""

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
        members = bodies.read(request._request, ResolveManyRequestSerializer)
        wish = Wish(
            named(members["format"]),
            is_recorded=members["record"],
            is_strict=members["strict"],
        )
        references = members["references"]
        if len(references) > MAX_BATCH:
            detail = f"{len(references)} references are too many: at most {MAX_BATCH}."
            raise Refused(Code.TOO_LARGE, detail)
        answered = dict(zip(references, resolving.resolve_all(references), strict=True))
        whole = list(answered.values())
        found = whole if wish.form is FORMS["json"] else exporting.render_all(whole, wish)
        results = dict(zip(answered, (_result(each, wish) for each in found), strict=True))
        text = f'{{"results":[{",".join(results[reference] for reference in references)}]}}'
        resolving.bound(len(text.encode()))
        return answers.of(request._request, text, policy=Policy.NO_STORE)


def _result(found: Answer | Rendering | Refused, wish: Wish) -> str:
    """One result as JSON; text stands in an object beside what it does not say."""
    if isinstance(found, Refused):
        return json.dumps(body(found), ensure_ascii=False)
    if isinstance(found, Answer):
        return _resolution(found)
    if wish.form.is_json:
        return found.text
    said = {"text": found.text, "dropped": [loss.as_json for loss in found.dropped]}
    return json.dumps(said, ensure_ascii=False)


def _resolution(answer: Answer) -> str:
    return orjson.dumps(RESOLUTION.to_representation(answer)).decode()


def rendered(request: Request, answer: Answer, wish: Wish, status: int = 200) -> HttpResponse:
    """An answer in a format, with the headers that say what it is."""
    is_whole = wish.form is FORMS["json"]
    rendering = Rendering(_resolution(answer)) if is_whole else exporting.render(answer, wish)
    is_exact = not (answer.is_floating or answer.is_alias)
    policy = version_policy(is_exact=is_exact, is_closed=wish.form.is_closed)
    response = answers.of(
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
    """The places as a list of strings (RFC 9651); the first 50, and then how many more there are.

    Names of options and labels of devices are ASCII without quotes and backslashes.
    """
    places = [f'"{loss.pointer}"' for loss in dropped]
    named, more = places[:MOST_NAMED], len(places) - MOST_NAMED
    return ", ".join([*named, str(more)] if more > 0 else named)


def _location(answer: Answer, wish: Wish) -> str:
    path = iri_to_uri(reverse("api:resolve", args=[answer.exact]))
    asked = {
        **({"format": wish.form.name} if wish.form.name != "json" else {}),
        **({"node": answer.part.pointer} if answer.part else {}),
        **({"record": "1"} if wish.is_recorded else {}),
        **({"strict": "1"} if wish.is_strict else {}),
    }
    return f"{path}?{urlencode(asked, safe='/')}" if asked else path
