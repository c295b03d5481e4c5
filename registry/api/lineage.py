"""GET lineage/<reference>: upstream, every version that one was made from."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import cursors, located
from registry.api.base import Resource
from registry.api.described import exploring as described
from registry.domain.reference import Reference
from registry.services.reading import lineages
from registry.services.reading.lineages import Member
from registry.services.resolving import ACTIVE, YANKED


class Lineage(Resource):
    """A version with its ancestors: the nodes and edges of a drawing."""

    parameters = frozenset({cursors.PARAMETER})

    @extend_schema(**described.LINEAGE)
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """A page of the lineage: the version itself, then its ancestors breadth first."""
        asked = request._request
        found = lineages.lineage(reference, after=cursors.after(asked))
        shown = {
            "results": [_shown(member) for member in found.page.rows],
            "next": cursors.next_url(asked, found.page.following),
        }
        return located.about(request, found.choice, shown)


def _shown(member: Member) -> dict[str, Any]:
    version = member.version
    return {
        "reference": version.exact,
        "distance": member.distance,
        "kind": version.kind or None,
        "digest": version.digest,
        "published": version.date,
        "status": YANKED if version.yanked else ACTIVE,
        "uses": list(member.uses),
    }
