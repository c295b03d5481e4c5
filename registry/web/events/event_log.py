"""The event log as a page: all public writes, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Refused, echo
from registry.domain.names.choices import invalid_filter
from registry.models import Event
from registry.services.core.paging import LIMIT, Page, parse_limit
from registry.services.events import event_feed, event_verbs
from registry.services.events.event_paths import event_path
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.parameters import parse_number, takes

TEMPLATE = "registry/events.html"
AFTER, BEFORE, NAMESPACE, REQUEST = "after", "before", "namespace", "request"
PARAMETERS = (AFTER, BEFORE, NAMESPACE, REQUEST, LIMIT)
MAX_FILTER = 200  # characters
INVALID_QUERY = (Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN)


@public_page
@takes(*PARAMETERS)
def events(request: HttpRequest) -> HttpResponse:
    """List events, newest first; from a given number on, oldest first."""
    parameters = {name: request.GET.get(name, "").strip() for name in PARAMETERS}
    filters = {name: text[:MAX_FILTER] for name, text in parameters.items() if text}
    try:
        page = _events(filters, parse_limit(request.GET))
    except Refused as refusal:
        if refusal.code not in INVALID_QUERY:
            raise
        return error_pages.refusal_page(request, refusal, template=TEMPLATE, filters=filters)
    context = {
        "filters": filters,
        "lines": [_line(event) for event in page.rows],
        "next": _next_url(filters, page.next_key),
        "api_url": reverse("api:events", query=_shared_with_api(filters)),
    }
    return render(request, TEMPLATE, context)


def _events(filters: dict[str, str], limit: int | None) -> Page[Event]:
    namespace, request = filters.get(NAMESPACE), filters.get(REQUEST)
    if AFTER in filters:
        after = _number(filters, AFTER)
        return event_feed.list_events(
            after=after, namespace=namespace, request=request, limit=limit
        )
    before = _number(filters, BEFORE) if BEFORE in filters else None
    return event_feed.latest_events(
        before=before, namespace=namespace, request=request, limit=limit
    )


def _number(filters: dict[str, str], name: str) -> int:
    text = filters[name]
    number = parse_number(text)
    if number is None:
        message, expected = f"{name}={echo(text)} is not an event number", "0, 1, 2 ..."
        raise invalid_filter(message, expected, echo(text))
    return number


def _shared_with_api(filters: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in filters.items() if name != BEFORE}


def _next_url(filters: dict[str, str], key: Sequence[Any] | None) -> str:
    if key is None:
        return ""
    name = AFTER if AFTER in filters else BEFORE
    return reverse("events", query={**filters, name: str(key[0])})


def _line(event: Event) -> dict[str, Any]:
    return {
        "event": event,
        "verb": event_verbs.verb(event.action),
        "url": event_path(event),
        "summary": _summary(event, event_feed.public_detail(event)),
        "api_url": reverse("api:events", query={AFTER: event.number - 1}),
    }


def _summary(event: Event, detail: Any) -> str:
    """Return the details of an event that fit on its line."""
    match event.action:
        case "member.granted":
            return f"{detail.get('user')}: {detail.get('role')}"
        case "member.revoked":
            return f"{detail.get('user')}"
        case "alias.pointed":
            return f"at {detail.get('to')}"
        case "change.requested" | "change.discarded":
            user = f"{detail['user']}: " if "user" in detail else "to "
            return f"{user}{detail.get('after')}"
        case "namespace.policy_set":
            return f"from {detail.get('before')} to {detail.get('after')}"
        case "publisher.registered" | "publisher.used":
            return ", ".join(f"{name}={value}" for name, value in detail["claims"].items())
        case _ if "publisher" in detail:
            return f"by trusted publisher {detail['publisher']}"
        case _:
            return ""
