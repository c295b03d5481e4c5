"""GET lineage/<reference>: every version that a version was made from."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.openapi_schema import (
    CURSOR,
    LOCATION,
    REFERENCE,
    REFERENCE_CODES,
    operation,
)
from registry.api.core.resource import Resource
from registry.api.versions import version_responses
from registry.api.versions.version_serializers import LineagePageSerializer
from registry.domain.reference import Reference
from registry.services.core import cursors
from registry.services.versions import lineages


class LineageView(Resource):
    """A version with its ancestors: the nodes and edges of the lineage graph."""

    @operation(
        "lineage",
        "The lineage of a version",
        LineagePageSerializer,
        *REFERENCE_CODES,
        parameters=[REFERENCE, CURSOR, LOCATION],
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Return a page of the lineage: the version itself, then its ancestors breadth first."""
        after = cursors.decode_cursor(request.path, request.query_params)
        lineage = lineages.load_lineage(reference, after=after)
        return version_responses.version_response(
            self, LineagePageSerializer, lineage, lineage.choice
        )
