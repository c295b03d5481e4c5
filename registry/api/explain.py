"""GET explain/<reference>: which version set each value."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import located
from registry.api.base import Resource
from registry.api.described import exploring as described
from registry.domain.reference import Reference
from registry.services.reading import explaining


class Explain(Resource):
    """The values of a target, each with its origin."""

    @extend_schema(**described.EXPLAIN)
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Every value of the version that answers, in natural order of the pointers."""
        found = explaining.explain(reference)
        values = [
            {"pointer": pointer, "value": leaf.value, "from": leaf.origin}
            for pointer, leaf in found.values
        ]
        shown = {"reference": found.choice.exact, "values": values}
        return located.about(request, found.choice, shown)
