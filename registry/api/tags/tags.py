"""GET tags/<tag>: a tag with its newest version."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.openapi_schema import REFERENCE_CODES, TAG, operation
from registry.api.core.resource import Resource, name_of
from registry.api.tags.serializers import TagSerializer
from registry.domain.reference import Reference
from registry.services.tags import detail


class TagView(Resource):
    """A tag with its status, aliases and newest version."""

    @operation(
        "tag", "A tag with its newest version", TagSerializer, *REFERENCE_CODES, parameters=[TAG]
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Return a tag, by its name or an alias."""
        return self.answer(TagSerializer, detail.tag_profile(name_of(reference)))
