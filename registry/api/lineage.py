"""GET lineage/<reference>: upstream, every version that one was made from."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api import cursors, located
from registry.api.base import Resource
from registry.api.schema import CURSOR, LOCATION, READING, REFERENCE, operation
from registry.api.serializers.versions import LineagePageSerializer
from registry.domain.errors import Code
from registry.domain.reference import Reference
from registry.services.reading import lineages


class Lineage(Resource):
    """A version with its ancestors: the nodes and edges of a drawing."""

    parameters = frozenset({cursors.PARAMETER})

    @operation(
        "lineage",
        "Every version that one was made from",
        LineagePageSerializer,
        *READING,
        Code.FILTER_INVALID,
        parameters=[REFERENCE, CURSOR, LOCATION],
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """A page of the lineage: the version itself, then its ancestors breadth first."""
        lineage = lineages.lineage(reference, after=cursors.after(request._request))
        return located.about(self, LineagePageSerializer, lineage, lineage.choice)
