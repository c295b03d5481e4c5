"""GET resolve/<reference>: the main job."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers
from registry.api.base import Resource
from registry.api.described import resolving as described
from registry.api.formats import Format
from registry.api.negotiation import chosen
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.services import resolving
from registry.services.resolving import Answer


class Resolve(Resource):
    """Reference to target: stored text, found with two queries."""

    parameters = frozenset({"format"})

    @extend_schema(**described.RESOLVE)
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Resolve a reference in the format asked for."""
        wanted = chosen(request._request)
        return rendered(request, resolving.resolve(reference), wanted)


def rendered(request: Request, answer: Answer, wanted: Format, status: int = 200) -> HttpResponse:
    """An answer in a format, with the headers that say what it is."""
    if answer.version.is_mixin and wanted.name not in ("json", "target"):
        raise Refused(
            Code.NOT_A_TARGET, f"{answer.exact} is a mixin: it resolves as json and target only."
        )
    caching = _caching(answer, wanted)
    response = answers.of(
        request._request,
        wanted.render(answer),
        media_type=wanted.media_type,
        caching=caching,
        status=status,
    )
    response["Target-Version"] = answer.exact.partition("@")[2]
    response["Target-Digest"] = answer.version.digest
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
    return path if wanted.name == "json" else f"{path}?format={wanted.name}"
