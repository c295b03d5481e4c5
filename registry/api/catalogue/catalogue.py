"""GET catalogue: the facts that are stated, and what is missing."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.catalogue.serializers import CatalogueSerializer
from registry.api.core.openapi_schema import operation
from registry.api.core.resource import Resource
from registry.services.catalogue import coverage
from registry.services.core import shipped_facts


class Catalogue(Resource):
    """Coverage of the catalogue."""

    @operation(
        "catalogue", "The facts that the catalogue states, and what is missing", CatalogueSerializer
    )
    def get(self, request: Request) -> HttpResponse:
        """Return facts by category with the number of names that state them, and all gaps."""
        return self.answer(
            CatalogueSerializer,
            {
                "categories": coverage.fact_coverage(coverage.category_counts()),
                "missing": shipped_facts.missing(),
                "notices": coverage.notices(),
                "disagreements": [{"choice": None, **item} for item in coverage.disagreements()],
            },
        )
