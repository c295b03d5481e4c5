"""GET diff/<old>...<new>: the differences between two versions, and the bump they mean."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.openapi_schema import REFERENCE_CODES, in_path, operation
from registry.api.core.resource import Resource
from registry.api.versions.change_serializers import ComparisonSerializer, difference_members
from registry.domain.reference import PAIR_EXPECTED, Pair
from registry.http import patterns
from registry.http.caching import version_policy
from registry.services.versions import comparing


class Diff(Resource):
    """The comparison of two versions, leaf by leaf."""

    @operation(
        "diff",
        "The differences between two versions",
        ComparisonSerializer,
        *REFERENCE_CODES,
        parameters=[
            in_path(
                "pair",
                {"type": "string", "pattern": patterns.PAIR},
                PAIR_EXPECTED,
                "two versions",
                "arm/soc@1.0.0...arm/soc:aot@1",
            )
        ],
    )
    def get(self, request: Request, pair: Pair) -> HttpResponse:
        """Return the differences between two versions, and the bump from one to the other."""
        selected = comparing.select_pair(pair)
        sides = {"old": selected.old, "new": selected.new}
        is_exact = not any(side.is_floating or side.is_alias for side in sides.values())
        policy = version_policy(is_exact=is_exact)
        members = selected.derive(difference_members)
        return self.answer(ComparisonSerializer, {**sides, **members}, policy=policy)
