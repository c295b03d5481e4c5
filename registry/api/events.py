"""GET events: the append-only log, in commit order."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, parameters
from registry.api.base import Resource
from registry.api.described import exploring as described
from registry.models import Event
from registry.services.reading import following

AFTER, NAMESPACE = "after", "namespace"


class Events(Resource):
    """Every write that everybody may know of."""

    parameters = frozenset({AFTER, NAMESPACE})

    @extend_schema(**described.EVENTS)
    def get(self, request: Request) -> HttpResponse:
        """The events after a number: a follower keeps the last one that it saw."""
        asked = request._request
        namespace = parameters.once(asked, NAMESPACE)
        found = following.events(after=parameters.number(asked, AFTER) or 0, namespace=namespace)
        shown = {
            "results": [_shown(event) for event in found.rows],
            "next": _next(asked, found.following),
        }
        return answers.of_json(asked, shown)


def _next(request: HttpRequest, key: list[Any] | None) -> str | None:
    if key is None:
        return None
    asked = {name: request.GET[name] for name in (NAMESPACE,) if name in request.GET}
    return f"{request.path}?{urlencode({AFTER: key[0], **asked})}"


def _shown(event: Event) -> dict[str, Any]:
    return {
        "number": event.number,
        "action": event.action,
        "subject": event.subject,
        "namespace": event.namespace or None,
        "actor": event.actor.username,
        "created": f"{event.created:%Y-%m-%dT%H:%M:%SZ}",
        "detail": following.detail(event),
    }
