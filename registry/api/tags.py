"""GET tags/<tag>: a tag with its newest version."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers
from registry.api.base import Resource
from registry.api.described import reading as described
from registry.api.summaries import deprecation, summary
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.services.reading import browsing
from registry.services.reading.browsing import Profile


class Tag(Resource):
    """A tag as a whole: its state, its other names, its newest version."""

    @extend_schema(**described.TAG)
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """A tag, found by its name or by an alias."""
        return answers.of_json(request._request, _shown(browsing.profile(name_of(reference))))


def name_of(reference: Reference) -> str:
    """The tag that a path names. Raises `Refused` (REFERENCE_INVALID) if it names a version."""
    if str(reference.selector):
        raise Refused(
            Code.REFERENCE_INVALID,
            f"{reference} names a version; this is about the tag {reference.text}.",
        )
    return reference.text


def _shown(found: Profile) -> dict[str, Any]:
    return {
        "tag": found.tag.text,
        "namespace": found.name.namespace,
        "name": found.name.name,
        "variant": found.name.variant or None,
        "aliases": list(found.aliases),
        "status": found.status,
        "deprecated": deprecation(found.tag),
        "newest": summary(found.newest) if found.newest else None,
        "last_published": str(found.last_published.number),
        "versions": len(found.versions),
    }
