"""GET explain/<reference>: the version that set each value."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.openapi_schema import LOCATION, REFERENCE, REFERENCE_CODES, operation
from registry.api.core.resource import Resource
from registry.api.versions import version_responses
from registry.api.versions.change_serializers import ExplanationSerializer, explained_values
from registry.domain.reference import Reference
from registry.services.core.memory_cache import cache
from registry.services.versions import explaining, selection


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
        choice = selection.select_one(reference)
        key = (__name__, choice.version.pk, choice.exact, choice.version.digest)
        values = cache.get_or_compute(
            key, lambda: explained_values(explaining.explain_version(choice))
        )
        explanation = {"reference": choice.exact, "values": values}
        return version_responses.version_response(self, ExplanationSerializer, explanation, choice)
