"""GET tags/<tag>: a tag with its newest version."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.openapi_schema import REFERENCE_CODES, TAG, operation
from registry.api.core.resource import Resource
from registry.api.tags.serializers import TagSerializer
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.services.tags import detail


class Tag(Resource):
    """A tag with its status, aliases and newest version."""

    @operation(
        "tag", "A tag with its newest version", TagSerializer, *REFERENCE_CODES, parameters=[TAG]
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Return a tag, by its name or an alias."""
        return self.answer(TagSerializer, detail.tag_profile(name_of(reference)))


def name_of(reference: Reference) -> str:
    """Return the tag that a path names. Raises `Refused` (REFERENCE_INVALID) for a version."""
    if str(reference.selector):
        raise Refused(
            Code.REFERENCE_INVALID,
            f"{reference} names a version, but this route takes a tag: {reference.text}.",
        )
    return reference.text
