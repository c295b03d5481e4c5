"""GET dependents/<reference>: the versions of other tags that depend on a version."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import parameters
from registry.api.core.openapi_schema import (
    PAGED,
    REFERENCE,
    REFERENCE_CODES,
    operation,
    query,
)
from registry.api.core.resource import Resource
from registry.api.versions.version_serializers import DependentPageSerializer
from registry.domain.reference import Reference
from registry.services.versions import dependents


class Dependents(Resource):
    """The direct and indirect dependents of a version."""

    @operation(
        "dependents",
        "The dependents of a version",
        DependentPageSerializer,
        *REFERENCE_CODES,
        parameters=[
            REFERENCE,
            query(
                "versions",
                "all: every version of a dependent, not only its newest one",
                enum=["all"],
            ),
            *PAGED,
        ],
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Return a page of dependents by name: each tag's newest version, or all versions."""
        is_all = parameters.is_all(request, "versions")
        page = parameters.requested_page(request)
        rows = dependents.find_dependents(reference, is_all=is_all, **page)
        return self.answer(DependentPageSerializer, rows)
