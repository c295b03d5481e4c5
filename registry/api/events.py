"""GET events: the append-only log, in commit order."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from registry.api import parameters
from registry.api.base import Resource
from registry.api.schema import operation, query
from registry.api.serializers.events import EventPageSerializer
from registry.domain.errors import Code
from registry.services.reading import following

AFTER, NAMESPACE = "after", "namespace"


class Events(Resource):
    """Every write that everybody may know of."""

    parameters = frozenset({AFTER, NAMESPACE})

    @operation(
        "events",
        "The log of all writes, in commit order",
        EventPageSerializer,
        Code.FILTER_INVALID,
        Code.NAMESPACE_UNKNOWN,
        parameters=[
            query(
                AFTER,
                "the number of the last event seen; 0, or none, for all",
                type=OpenApiTypes.INT,
            ),
            query(NAMESPACE, "those of one namespace"),
        ],
    )
    def get(self, request: Request) -> HttpResponse:
        """The events after a number: a follower keeps the last one that it saw."""
        asked = request._request
        namespace = parameters.once(asked, NAMESPACE)
        after = parameters.number(asked, AFTER) or 0
        return self.answer(EventPageSerializer, following.events(after=after, namespace=namespace))
