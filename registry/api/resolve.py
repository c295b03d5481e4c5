"""GET resolve/<reference>, POST resolve: the main job, for one reference or for many."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, bodies
from registry.api.base import Resource
from registry.api.described import resolving as described
from registry.api.formats import Format
from registry.api.negotiation import chosen, named
from registry.api.problems import body
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.services import resolving
from registry.services.resolving import Answer

MAX_BATCH = 1000  # references of one request
MAX_BATCH_BYTES = 512 * 1024  # of its JSON: the longest references, with room


class Resolve(Resource):
    """Reference to target: stored text, found with two queries."""

    parameters = frozenset({"format", "node"})

    @extend_schema(**described.RESOLVE)
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Resolve a reference in the format asked for."""
        wanted = chosen(request._request)
        answer = resolving.resolve(reference)
        if node := request.GET.get("node"):
            answer = resolving.at(answer, node)
        return rendered(request, answer, wanted)


class ResolveMany(Resource):
    """Many references at once: for a build that is made of many targets."""

    throttle_classes = ()  # a read, though it is sent

    @extend_schema(**described.RESOLVE_MANY)
    def post(self, request: Request) -> HttpResponse:
        """A resolution or a problem for each reference, in their order."""
        said = bodies.members(
            request._request, required=("references",), optional=("format",), most=MAX_BATCH_BYTES
        )
        wanted = named(bodies.text_of(said, "format", "json"))
        references = bodies.texts_of(said, "references")
        if len(references) > MAX_BATCH:
            detail = f"{len(references)} references are too many: at most {MAX_BATCH}."
            raise Refused(Code.TOO_LARGE, detail)
        found = resolving.resolve_all(references)
        results = dict(zip(references, (_result(each, wanted) for each in found), strict=True))
        text = f'{{"results":[{",".join(results[reference] for reference in references)}]}}'
        resolving.bound(len(text.encode()))
        return answers.of(request._request, text, caching=answers.NOT_KEPT)


def _result(found: Answer | Refused, wanted: Format) -> str:
    """One result as JSON; a format that is none stands as a string."""
    try:
        if isinstance(found, Refused):
            raise found
        _refuse_mixin(found, wanted)
        content = wanted.render(found)
    except Refused as refusal:
        return json.dumps(body(refusal), ensure_ascii=False)
    return content if wanted.is_json else json.dumps(content, ensure_ascii=False)


def _refuse_mixin(answer: Answer, wanted: Format) -> None:
    if answer.version.is_mixin and not answer.part and wanted.name not in ("json", "target"):
        raise Refused(
            Code.NOT_A_TARGET, f"{answer.exact} is a mixin: it resolves as json and target only."
        )


def rendered(request: Request, answer: Answer, wanted: Format, status: int = 200) -> HttpResponse:
    """An answer in a format, with the headers that say what it is."""
    _refuse_mixin(answer, wanted)
    caching = _caching(answer, wanted)
    response = answers.of(
        request._request,
        wanted.render(answer),
        media_type=wanted.media_type,
        caching=caching,
        status=status,
    )
    response["Target-Version"] = answer.exact.partition("@")[2]
    response["Target-Digest"] = answer.digest
    if caching != answers.IMMUTABLE:  # kept for a year, it could not say what happens then
        response["Target-Status"] = answer.status
    if answer.is_floating or answer.is_alias:
        response["Content-Location"] = _location(answer, wanted)
    return response


def _caching(answer: Answer, wanted: Format) -> str:
    if answer.is_floating or answer.is_alias:
        return answers.FLOATING
    return answers.IMMUTABLE if wanted.is_closed else answers.EXACT


def _location(answer: Answer, wanted: Format) -> str:
    path = iri_to_uri(reverse("api:resolve", args=[answer.exact]))
    asked = {
        **({"format": wanted.name} if wanted.name != "json" else {}),
        **({"node": answer.part.pointer} if answer.part else {}),
    }
    return f"{path}?{urlencode(asked, safe='/')}" if asked else path
