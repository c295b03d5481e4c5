"""The one order of all writes, and the log they leave."""

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

LOCK_ID = 0x7461726765740001  # any number, the same for every process: PostgreSQL's advisory lock
LOCK_TIMEOUT = "20s"  # on PostgreSQL, as long as SQLite's busy_timeout (settings)

TRANSIENT_STATES = frozenset(  # SQLSTATE of PostgreSQL's errors that pass; a full disk does not
    {
        "40001",  # serialization failure
        "40P01",  # deadlock
        "53300",  # too many connections
        "55P03",  # lock not available in time
        "57014",  # cancelled, as by a timeout
        "57P01",  # the server is being shut down
        "57P02",  # or has crashed
        "57P03",  # or is starting
    }
)


@contextmanager
def write_lock() -> Iterator[None]:
    """A transaction that no other write overlaps, from here to its commit.

    So event numbers follow commits, version numbers have no gaps, and a check holds until what it
    allowed is written. SQLite begins every transaction with the write lock (settings). Raises
    `Refused` (BUSY) where the lock is not to be had in time.
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
        raise Refused(Code.BUSY, "Another write holds the registry; try again shortly.") from error


@contextmanager
def authorized_write(permission: Permission) -> Iterator[None]:
    """Hold the write lock as `exclusive` does, once the permission has been checked again.

    Who waited for the lock may have lost the right meanwhile: account, token, role and policy are
    read anew, and nobody can change them before the commit. Raises `Refused` as `Permission.check`
    and `exclusive` do.
    """
    with write_lock():
        permission.check()
        yield


def is_transient_error(error: OperationalError) -> bool:
    """Whether a database error passes by itself: locked, timed out, out of connections."""
    if connection.vendor == "postgresql":
        state = getattr(error.__cause__, "sqlstate", None)  # none: there was no connection at all
        return state is None or state in TRANSIENT_STATES
    return "locked" in str(error)


_newest_event: PreparedQuery[Event] = PreparedQuery(
    lambda: Event.objects.only("number").order_by("-number")[:1]
)


def last_event_number() -> int:
    """The number of the last event, 0 for none: while it stays, nothing has been written."""
    return next((event.number for event in _newest_event()), 0)


@dataclass(frozen=True, slots=True)
class EventEntry:
    """One line of the log, before it has a number."""

    action: str
    subject: str
    namespace: str
    detail: Mapping[str, Any]


def append_event(
    action: str, subject: object, *, actor: User, namespace: str, **detail: Any
) -> Event:
    """Append to the event log. Call inside `exclusive`, in the service whose write it is."""
    (event,) = append_events([EventEntry(action, str(subject), namespace, detail)], actor=actor)
    return event


def append_events(lines: Sequence[EventEntry], *, actor: User) -> list[Event]:
    """Append lines to the event log, in their order. Call inside `exclusive`."""
    metrics.count_events(line.action for line in lines)
    first = last_event_number() + 1
    return Event.objects.bulk_create(
        Event(
            number=number,
            action=line.action,
            subject=line.subject,
            namespace=line.namespace,
            actor=actor,
            detail=json.dumps(line.detail, default=str, sort_keys=True),
            request=request_id(),
        )
        for number, line in enumerate(lines, start=first)
    )
