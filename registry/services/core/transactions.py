"""Serializes all writes with one lock, and appends to the event log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import OperationalError, connection, transaction

from registry.domain.errors import Code, Refused
from registry.models import Event, User
from registry.models.prepared_queries import PreparedQuery
from registry.services.core import metrics
from registry.services.core.permissions import Permission
from registry.services.core.request_ids import request_id

LOCK_ID = 0x7461726765740001  # of PostgreSQL's advisory lock: arbitrary, the same for all processes
LOCK_TIMEOUT = "20s"  # on PostgreSQL, as long as SQLite's busy_timeout (settings)

TRANSIENT_STATES = frozenset(  # SQLSTATEs of errors for which a retry helps; not for a full disk
    {
        "40001",  # serialization failure
        "40P01",  # deadlock
        "53300",  # too many connections
        "55P03",  # lock not available in time
        "57014",  # cancelled, for example by a timeout
        "57P01",  # the server is shutting down
        "57P02",  # the server has crashed
        "57P03",  # the server is starting
    }
)


@contextmanager
def write_lock() -> Iterator[None]:
    """Open a transaction that excludes all other writes until it commits.

    So event numbers follow commit order, version numbers have no gaps, and checks still hold at the
    time of the write. On SQLite every transaction takes the write lock (settings). Raises `Refused`
    (BUSY) if the lock is not available within 20 s.
    """
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(
                        "SELECT set_config('lock_timeout', %s, true), pg_advisory_xact_lock(%s)",
                        [LOCK_TIMEOUT, LOCK_ID],
                    )
            yield
    except OperationalError as error:
        if not is_transient_error(error):
            raise
        raise Refused(Code.BUSY, "Another write is in progress; try again shortly.") from error


@contextmanager
def authorized_write(permission: Permission) -> Iterator[None]:
    """Take the write lock and check the permission again.

    The actor may have lost it while waiting: account, token, role and policy are read again, and
    cannot change before the commit. Raises `Refused` as `Permission.check` and
    `write_lock` do.
    """
    with write_lock():
        permission.check()
        yield


def is_transient_error(error: OperationalError) -> bool:
    """Return whether a database error is temporary, such as a lock or a timeout."""
    if connection.vendor == "postgresql":
        state = getattr(error.__cause__, "sqlstate", None)  # None without a connection
        return state is None or state in TRANSIENT_STATES
    return "locked" in str(error)


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
    action: str, subject: object, *, actor: User, namespace: str, **detail: Any
) -> Event:
    """Append an event and return it. Call under the write lock, in the service that writes."""
    (event,) = append_events([EventEntry(action, str(subject), namespace, detail)], actor=actor)
    return event


def append_events(entries: Sequence[EventEntry], *, actor: User) -> list[Event]:
    """Append events in order and return them. Call under the write lock."""
    metrics.count_events(entry.action for entry in entries)
    first = last_event_number() + 1
    return Event.objects.bulk_create(
        Event(
            number=number,
            action=entry.action,
            subject=entry.subject,
            namespace=entry.namespace,
            actor=actor,
            detail=json.dumps(entry.detail, default=str, sort_keys=True),
            request=request_id(),
        )
        for number, entry in enumerate(entries, start=first)
    )
