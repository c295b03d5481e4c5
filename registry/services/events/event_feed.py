"""The event log, for those who follow it: in commit order, from any number on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet

from registry.domain.errors import Code, Fault, Refused
from registry.models import Event
from registry.services.core.paging import Page, paginate
from registry.services.core.redaction_marks import ACTION as REDACTED
from registry.services.core.transactions import last_event_number
from registry.services.namespaces.lookup import known_namespace

PRIVATE = ("account.", "token.")  # how actions begin that are nobody's business but staff's
WITHHELD = {REDACTED: {"rows"}}  # keys of the database, of no use to others


def list_events(*, after: int = 0, namespace: str | None = None) -> Page[Event]:
    """Events with higher numbers than one, of all namespaces or of one, the lowest first.

    Who acted is loaded. At most three queries. Raises `Refused`: FILTER_INVALID for a number that
    is not there yet, which a log restored from an older backup would otherwise pass over in
    silence; NAMESPACE_UNKNOWN with near names.
    """
    last = last_event_number()
    if after > last:
        message = f"there is no event {after} yet"
        expected = f"at most {last}, the last event that there is"
        fault = Fault("", Code.FILTER_INVALID, message, expected, str(after))
        raise Refused(
            Code.FILTER_INVALID,
            f"There is no event {after} yet; the last is {last}. Was the registry restored from "
            "an older backup? Then read again what you have of it.",
            faults=[fault],
        )
    found = _public(namespace).filter(number__gt=after).order_by("number")
    return paginate(found, key=lambda event: [event.number])


def latest_events(*, before: int | None = None, namespace: str | None = None) -> Page[Event]:
    """Events with lower numbers than one, or all, the highest first. At most two queries.

    Raises `Refused` (NAMESPACE_UNKNOWN) with near names.
    """
    found = _public(namespace).order_by("-number")
    if before is not None:
        found = found.filter(number__lt=before)
    return paginate(found, key=lambda event: [event.number])


def _public(namespace: str | None) -> QuerySet[Event]:
    """What is not private, of all namespaces or of one, with who acted."""
    private = Q()
    for beginning in PRIVATE:
        private |= Q(action__startswith=beginning)
    found = Event.objects.filter(~private)
    if namespace is not None:
        found = found.filter(namespace=known_namespace(namespace).name)
    return found.select_related("actor").only(
        "number", "action", "subject", "namespace", "detail", "created", "actor__username"
    )


def public_detail(event: Event) -> Mapping[str, Any]:
    """What an action adds, as far as everybody may read it."""
    said: dict[str, Any] = json.loads(event.detail)
    withheld = WITHHELD.get(event.action, set())
    return {name: value for name, value in said.items() if name not in withheld}
