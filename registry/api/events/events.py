"""GET events: the append-only log in commit order."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import parameters
from registry.api.core.openapi_schema import LIMIT, operation, query
from registry.api.core.resource import Resource
from registry.api.events.serializers import EventPageSerializer
from registry.domain.errors import Code
from registry.services.core.paging import parse_limit
from registry.services.events import event_feed

AFTER, NAMESPACE, REQUEST = "after", "namespace", "request"


class Events(Resource):
    """The public events of all writes."""

    @operation(
        "events",
        "The log of all writes, in commit order",
        EventPageSerializer,
        Code.NAMESPACE_UNKNOWN,
        parameters=[
            query(
                AFTER,
                "the number of the last event that the client has seen; by default 0",
                type={"type": "integer", "minimum": 0, "maximum": 10**18 - 1},
            ),
            LIMIT,
            query(NAMESPACE, "only events of this namespace"),
            query(REQUEST, "only events of the request with this id, from its X-Request-ID"),
        ],
    )
    def get(self, request: Request) -> HttpResponse:
        """Return a page of events after a number; clients store the number of the last one."""
        namespace = request.GET.get(NAMESPACE)
        after = parameters.parse_number(request, AFTER) or 0
        return self.answer(
            EventPageSerializer,
            event_feed.list_events(
                after=after,
                namespace=namespace,
                request=request.GET.get(REQUEST),
                limit=parse_limit(request.GET),
            ),
        )
