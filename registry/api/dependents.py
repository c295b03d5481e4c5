"""GET dependents/<reference>: downstream, what was made from a version."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, cursors, parameters
from registry.api.base import Resource
from registry.api.described import exploring as described
from registry.domain.reference import Reference
from registry.services.reading import dependents
from registry.services.reading.dependents import Dependent


class Dependents(Resource):
    """The versions of other tags that are made from one, near or far."""

    parameters = frozenset({"versions", cursors.PARAMETER})

    @extend_schema(**described.DEPENDENTS)
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """A page of dependents by name: each tag's newest version, or all versions."""
        asked = request._request
        is_all = parameters.is_all(asked, "versions")
        found = dependents.dependents(reference, is_all=is_all, after=cursors.after(asked))
        shown = {
            "results": [_shown(dependent) for dependent in found.rows],
            "next": cursors.next_url(asked, found.following),
        }
        return answers.of_json(asked, shown)


def _shown(dependent: Dependent) -> dict[str, Any]:
    use = dependent.use
    return {
        "tag": dependent.version.tag.text,
        "reference": dependent.version.exact,
        "distance": dependent.distance,
        "relation": use.relation if use else None,
        "requested": use.requested if use else None,
        "pointer": use.pointer if use else None,
        "resolved": use.resolved.exact if use else None,
        "status": dependent.status,
        "outdated": dependent.is_outdated,
    }
