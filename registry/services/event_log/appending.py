"""Appends events. Before the write commits, the tree covers them; then a checkpoint is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from registry.models import Event, User
from registry.models.prepared_queries import PreparedQuery
from registry.models.row_insertion import insert_instances, insert_rows
from registry.services.core import metrics, transactions
from registry.services.core.request_ids import request_id
from registry.services.event_log import checkpoints, tree_hashes

_newest_event: PreparedQuery[Event] = PreparedQuery(
    lambda: Event.objects.only("number").order_by("-number")[:1]
)


def last_event_number() -> int:
    """Return the number of the last event, or 0. It increases with every write."""
    return next((event.number for event in _newest_event()), 0)


@dataclass(frozen=True, slots=True)
class EventEntry:
    """An event that has no number yet."""

    action: str
    subject: str
    namespace: str
    detail: Mapping[str, Any]


def append_event(
    action: str, subject: object, *, actor: User, namespace: str | None = None, **detail: Any
) -> Event:
    """Append an event and return it. Call under the write lock, in the service that writes.

    It belongs to the namespace that its subject's name begins with, unless another one is stated:
    none, an empty text, for accounts, tokens and kinds.
    """
    name = str(subject)
    owner = name.partition("/")[0] if namespace is None else namespace
    entry = EventEntry(action, name, owner, detail)
    _note_events([action])
    (event,) = insert_instances([Event(**_columns(entry, last_event_number() + 1, actor))])
    return event


def append_events(entries: Sequence[EventEntry], *, actor: User) -> range:
    """Append events in order, and return their numbers. Call under the write lock."""
    _note_events([entry.action for entry in entries])
    first = last_event_number() + 1
    created = connection.ops.adapt_datetimefield_value(timezone.now())
    rows = [
        {**_columns(entry, number, actor), "created": created}
        for number, entry in enumerate(entries, start=first)
    ]
    insert_rows(Event, tuple(rows[0]) if rows else (), [tuple(row.values()) for row in rows])
    return range(first, first + len(rows))


def _note_events(actions: Sequence[str]) -> None:
    metrics.count_events(actions)
    if actions:
        # Decision 103: one row for all events of a write, and none for a rolled back savepoint.
        transactions.before_commit(_cover_events)


def _cover_events() -> None:
    tree_hashes.extend()
    transaction.on_commit(checkpoints.keep_newest, robust=True)


def _columns(entry: EventEntry, number: int, actor: User) -> dict[str, Any]:
    """Return the values of an event's columns, except the time."""
    detail = {**transactions.attribution(), **entry.detail}
    return {
        "number": number,
        "action": entry.action,
        "subject": entry.subject,
        "namespace": entry.namespace,
        "actor_id": actor.pk,
        "detail": json.dumps(detail, default=str, sort_keys=True),
        "request": request_id(),
    }
