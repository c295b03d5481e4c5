"""The time until which the queries of a block may run; one that still runs then is cancelled.

The connection stays usable. Only reads have a deadline: SQLite rolls the whole transaction back if
a write is interrupted, and PostgreSQL would confirm a commit that its standby has not.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from typing import Any

from django.db import OperationalError

QUERY_CANCELED = "57014"  # SQLSTATE of PostgreSQL
STEPS = 10_000  # instructions of SQLite's virtual machine between two looks, about 1 ms
READS = ("SELECT", "WITH")  # what begins otherwise may end a transaction

# Decision 159: reads end with the deadline of their lane.
_end: ContextVar[float] = ContextVar("end", default=inf)  # of `time.monotonic`


class DeadlinePassed(OperationalError):
    """A query was to begin after its deadline."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Let all queries of the block end within so many seconds; an earlier deadline stays.

    Those that do not raise an `OperationalError` that `was_cancelled` knows.
    """
    token = _end.set(min(_end.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _end.reset(token)


def has_passed() -> bool:
    """Return whether this thread's queries should have ended."""
    return time.monotonic() > _end.get()


def refuse_late(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
    """Execute a statement. Raises `DeadlinePassed` for a read after the deadline."""
    if has_passed() and sql.lstrip("( ").startswith(READS):
        raise DeadlinePassed("The deadline has passed.")
    return execute(sql, *arguments)


def was_cancelled(error: BaseException) -> bool:
    """Return whether a deadline ended a query, by error code: messages depend on the locale."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.OperationalError):
        return cause.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT
    return isinstance(error, DeadlinePassed) or getattr(cause, "sqlstate", None) == QUERY_CANCELED
