"""The bytes of leaves: computed from stored events, whenever they are hashed or served."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from registry.domain.event_log.leaves import LoggedEvent, leaf
from registry.models import Event, LogRange
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery

COLUMNS = ("number", "created", "action", "subject", "namespace", "detail")  # of a leaf
BATCH = 1000  # events in memory at a time

LAST = 2**63 - 1  # no event has a higher number

_events: PreparedQuery[Event] = PreparedQuery(
    lambda: (
        Event.objects.filter(number__within=PLACEHOLDER).only(*COLUMNS).order_by("number")[:BATCH]
    )
)


def backfilled_size() -> int:
    """Return the number of events of release 0.1, whose leaves are marked. One query."""
    sizes = LogRange.objects.filter(is_backfilled=True).order_by("-size")
    return sizes.values_list("size", flat=True).first() or 0


def leaves(start: int, end: int) -> Iterator[bytes]:
    """Yield the leaves of a range of positions, which count from 0. Two queries per 1,000."""
    if start == end:
        return
    marked = backfilled_size()
    for event in events(start, end):
        yield leaf_of(event, is_backfilled=event.number <= marked)


def detail_of(event: Event) -> dict[str, Any] | None:
    """Return the detail of an event; None if it is no JSON object, which `verify` reports."""
    with suppress(ValueError):
        if isinstance(detail := json.loads(event.detail), dict):
            return detail
    return None


def leaf_of(event: Event, *, is_backfilled: bool) -> bytes:
    """Return the leaf of a stored event; without a detail that can be read, it states nothing.

    Raises `KeyError` as `leaf` does.
    """
    detail = detail_of(event) or {}
    logged = LoggedEvent(
        event.number, event.created, event.action, event.subject, event.namespace, detail
    )
    return leaf(logged, is_backfilled=is_backfilled)


def events(start: int, end: int = LAST) -> Iterator[Event]:
    """Yield the events with numbers above `start`, up to `end`, in order. A query per 1,000."""
    while batch := _events([start, end]):
        yield from batch
        if len(batch) < BATCH:
            return
        start = batch[-1].number
