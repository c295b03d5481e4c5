"""Serializes all writes with one lock, and appends to the event log and its tree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import Max, Model
from django.utils import timezone

from registry.models import Event, User
from registry.models.prepared_queries import PreparedQuery
from registry.models.row_insertion import insert_rows
from registry.services.core import checkpoints, database_errors, event_tree, metrics
from registry.services.core.permissions import Permission
from registry.services.core.request_ids import request_id

LOCK_ID = 0x7461726765740001  # of PostgreSQL's advisory lock: arbitrary, the same for all processes
LOCK_TIMEOUT = "20s"  # on PostgreSQL, as long as SQLite's busy_timeout (settings)
IDLE_TIMEOUT = "1min"  # on PostgreSQL, after which a stopped process loses the lock

# The write in progress: the outermost block that holds the lock.
_write: ContextVar[OpenWrite | None] = ContextVar("write", default=None)
# Details that the events of the current write add: the trusted publisher that makes it.
_attribution: ContextVar[Mapping[str, Any]] = ContextVar(
    "attribution", default=MappingProxyType({})
)


@dataclass(slots=True)
class OpenWrite:
    """A transaction that holds the lock."""

    has_events: bool = False


@contextmanager
def write_lock() -> Iterator[None]:
    """Open a transaction that excludes all other writes until it commits.

    So event numbers follow commit order, version numbers have no gaps, and checks still hold at the
    time of the write. On SQLite every transaction takes the write lock (settings). Raises `Refused`
    (BUSY) if the lock is not available within 20 s, and STORAGE_FULL or READ_ONLY if the database
    cannot write.
    """
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(
                        "SELECT set_config('lock_timeout', %s, true), "
                        "set_config('idle_in_transaction_session_timeout', %s, true), "
                        "pg_advisory_xact_lock(%s)",
                        [LOCK_TIMEOUT, IDLE_TIMEOUT, LOCK_ID],
                    )
            with _extending_tree():
                yield
    except DatabaseError as error:
        refusal = database_errors.report(error)
        if refusal is None:
            raise
        raise refusal from error
    database_errors.record_write()


@contextmanager
def _extending_tree() -> Iterator[None]:
    """Let the tree cover the events of the outermost write, at its end: one row for them all."""
    if _write.get():
        yield
        return
    token = _write.set(write := OpenWrite())
    try:
        yield
        if write.has_events and not connection.needs_rollback:
            event_tree.extend()
            transaction.on_commit(checkpoints.keep_newest, robust=True)
    finally:
        _write.reset(token)


@contextmanager
def authorized_write(permission: Permission) -> Iterator[None]:
    """Take the write lock and check the permission again.

    The actor may have lost it while waiting: account, token, role and policy are read again, and
    cannot change before the commit. Events inside say if the actor is a trusted publisher. Raises
    `Refused` as `Permission.check` and `write_lock` do.
    """
    with write_lock():
        # Decision 045: a right may be lost while a write waits for the lock.
        permission.check()
        outer = _attribution.set(permission.actor.attribution)
        try:
            yield
        finally:
            _attribution.reset(outer)


_newest_event: PreparedQuery[Event] = PreparedQuery(
    lambda: Event.objects.only("number").order_by("-number")[:1]
)


def last_event_number() -> int:
    """Return the number of the last event, or 0. It increases with every write."""
    return next((event.number for event in _newest_event()), 0)


def next_number(model: type[Model]) -> int:
    """Return the next key without gaps, on every database. Call under the write lock."""
    return (model._default_manager.aggregate(last=Max("pk"))["last"] or 0) + 1


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
    return Event.objects.create(**_columns(entry, last_event_number() + 1, actor))


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
    if actions and (write := _write.get()):
        write.has_events = True


def _columns(entry: EventEntry, number: int, actor: User) -> dict[str, Any]:
    """Return the values of an event's columns, except the time."""
    return {
        "number": number,
        "action": entry.action,
        "subject": entry.subject,
        "namespace": entry.namespace,
        "actor_id": actor.pk,
        "detail": json.dumps({**_attribution.get(), **entry.detail}, default=str, sort_keys=True),
        "request": request_id(),
    }
