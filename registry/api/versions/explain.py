"""GET explain/<reference>: the version that set each value."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.openapi_schema import LOCATION, REFERENCE, REFERENCE_CODES, operation
from registry.api.core.resource import Resource
from registry.api.versions import version_responses
from registry.api.versions.change_serializers import ExplanationSerializer
from registry.domain.reference import Reference
from registry.services.versions import explaining


class Explain(Resource):
    """The values of a target, each with its origin."""

    @operation(
        "explain",
        "The version that set each value",
        ExplanationSerializer,
        *REFERENCE_CODES,
        parameters=[REFERENCE, LOCATION],
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Return every value of a version, in natural order of the pointers."""
        explanation = explaining.explain_version(reference)
        return version_responses.version_response(
            self, ExplanationSerializer, explanation, explanation.choice
        )
