"""GET events: the append-only log in commit order."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from registry.api.core import parameters
from registry.api.core.openapi_schema import operation, query
from registry.api.core.resource import Resource
from registry.api.events.serializers import EventPageSerializer
from registry.domain.errors import Code
from registry.services.events import event_feed

AFTER, NAMESPACE = "after", "namespace"


class Events(Resource):
    """The public events of all writes."""

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
        namespace = parameters.single_value(asked, NAMESPACE)
        after = parameters.parse_number(asked, AFTER) or 0
        return self.answer(
            EventPageSerializer, event_feed.list_events(after=after, namespace=namespace)
        )
