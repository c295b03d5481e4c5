"""Serializes all writes with one lock, and checks permissions again under it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import Max, Model

from registry.services.core import database_errors
from registry.services.core.permissions import Permission

LOCK_ID = 0x7461726765740001  # of PostgreSQL's advisory lock: arbitrary, the same for all processes
LOCK_TIMEOUT = "20s"  # on PostgreSQL, as long as SQLite's busy_timeout (settings)
IDLE_TIMEOUT = "1min"  # on PostgreSQL, after which a stopped process loses the lock

# Steps to take before the outermost write commits, without duplicates; None outside of writes.
_last_steps: ContextVar[dict[Callable[[], None], None] | None] = ContextVar(
    "last_steps", default=None
)
# The trusted publisher that makes the current write, as details of its events.
_attribution: ContextVar[Mapping[str, Any]] = ContextVar(
    "attribution", default=MappingProxyType({})
)


@contextmanager
def write_lock() -> Iterator[None]:
    """Open a transaction that excludes all other writes until it commits.

    So event numbers follow commit order, version numbers have no gaps, and checks still hold at the
    time of the write. On SQLite every transaction takes the write lock (settings). Raises `Refused`
    (BUSY) if the lock is not available within 20 s, and STORAGE_FULL, READ_ONLY or STORAGE_DAMAGED
    if the database cannot write.
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
            with _taking_last_steps():
                yield
    except DatabaseError as error:
        refusal = database_errors.report(error)
        if refusal is None:
            raise
        raise refusal from error
    database_errors.record_write()


@contextmanager
def _taking_last_steps() -> Iterator[None]:
    """Take the steps of `before_commit` at the end of the outermost write."""
    if _last_steps.get() is not None:
        yield
        return
    steps: dict[Callable[[], None], None] = {}
    token = _last_steps.set(steps)
    try:
        yield
        if not connection.needs_rollback:
            for step in steps:
                step()
    finally:
        _last_steps.reset(token)


# Decision 129: the lock knows no log, so that what takes it does not import the log.
def before_commit(step: Callable[[], None]) -> None:
    """Let the outermost write end with a step, once however often it is asked for.

    Nothing happens outside of a write.
    """
    if (steps := _last_steps.get()) is not None:
        steps[step] = None


def attribution() -> Mapping[str, Any]:
    """Return the details that the events of the current write add."""
    return _attribution.get()


@contextmanager
def authorized_write(permission: Permission) -> Iterator[None]:
    """Take the write lock and check the permission again.

    The actor may have lost it while waiting: account, token, role and policy are read again, and
    cannot change before the commit. Events inside say if the actor is a trusted publisher. Raises
    `Refused` as `Permission.check` and `write_lock` do.
    """
    with write_lock():
        # Decision 045: a right may be lost while a write waits for the lock.
        permission.check(is_write=True)
        outer = _attribution.set(permission.actor.attribution)
        try:
            yield
        finally:
            _attribution.reset(outer)


def next_number(model: type[Model]) -> int:
    """Return the next key without gaps, on every database. Call under the write lock."""
    return (model._default_manager.aggregate(last=Max("pk"))["last"] or 0) + 1
