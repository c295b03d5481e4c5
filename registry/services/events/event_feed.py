"""The public event feed, in commit order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet

from registry.domain.errors import Code, Fault, Refused
from registry.models import Event
from registry.services.core.paging import Page, paginate
from registry.services.core.redaction_marks import ACTION as REDACTED
from registry.services.event_log.appending import last_event_number
from registry.services.namespaces.lookup import require_namespace

PRIVATE = ("account.", "token.")  # prefixes of actions that only staff may see
WITHHELD = {REDACTED: {"rows"}}  # primary keys, which are useless to clients


def list_events(
    *,
    after: int = 0,
    namespace: str | None = None,
    request: str | None = None,
    limit: int | None = None,
) -> Page[Event]:
    """Return a page of events after a number, lowest first: all, or of a namespace or a request.

    At most three queries. Raises `Refused` (FILTER_INVALID) if `after` is a
    future number, as after restoring an older backup; (NAMESPACE_UNKNOWN) with similar names.
    """
    last = last_event_number()
    # Decision 024: after a restore, an empty page would hide from clients that events are gone.
    if after > last:
        message = f"event {after} does not exist yet"
        expected = f"at most {last}, the number of the last event"
        fault = Fault("", Code.FILTER_INVALID, message, expected, str(after))
        raise Refused(
            Code.FILTER_INVALID,
            f"Event {after} does not exist yet; the last one is {last}. If the registry was "
            "restored from an older backup, read the feed again.",
            faults=[fault],
        )
    events = _public(namespace, request).filter(number__gt=after).order_by("number")
    return paginate(events, key=lambda event: [event.number], limit=limit)


def latest_events(
    *,
    before: int | None = None,
    namespace: str | None = None,
    request: str | None = None,
    limit: int | None = None,
) -> Page[Event]:
    """Return a page of events, or of those before a number, highest first. At most two queries.

    Raises `Refused` (NAMESPACE_UNKNOWN) with similar names.
    """
    events = _public(namespace, request).order_by("-number")
    if before is not None:
        events = events.filter(number__lt=before)
    return paginate(events, key=lambda event: [event.number], limit=limit)


def _public(namespace: str | None, request: str | None) -> QuerySet[Event]:
    """Return the public events, of a namespace or a request if one is given, with their actors."""
    private = Q()
    for prefix in PRIVATE:
        private |= Q(action__startswith=prefix)
    events = Event.objects.filter(~private)
    if namespace is not None:
        events = events.filter(namespace=require_namespace(namespace).name)
    if request is not None:
        is_possible = request.isprintable()  # PostgreSQL refuses to compare others
        events = events.filter(request=request) if is_possible else events.none()
    columns = ("number", "action", "subject", "namespace", "detail", "created")
    return events.select_related("actor").only(*columns, "actor__username", "actor__is_active")


def public_detail(event: Event) -> Mapping[str, Any]:
    """Return the public part of an event's detail."""
    detail: dict[str, Any] = json.loads(event.detail)
    withheld = WITHHELD.get(event.action, set())
    return {name: value for name, value in detail.items() if name not in withheld}
