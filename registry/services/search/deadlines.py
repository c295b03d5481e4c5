"""Limits the database time of queries that users compose."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import OperationalError, connection, transaction

from registry.domain.errors import Code, Refused

QUERY_CANCELED = "57014"  # SQLSTATE of PostgreSQL
MAX_SECONDS = 2.0  # of database time for one search
STEPS = 10_000  # instructions of SQLite's virtual machine between checks, about 1 ms

T = TypeVar("T")


@contextmanager
def time_limit(seconds: float | None = None) -> Iterator[None]:
    """Limit the total time of all queries in the block, in seconds; by default to `MAX_SECONDS`.

    Raises `Refused` (BUSY) after that; the connection stays usable. On PostgreSQL the last query
    may take up to `seconds` on its own.
    """
    seconds = MAX_SECONDS if seconds is None else seconds
    end = time.monotonic() + seconds
    limited = _postgresql if connection.vendor == "postgresql" else _sqlite
    try:
        with limited(seconds, end), connection.execute_wrapper(_refuse_after(seconds, end)):
            yield
    except OperationalError as error:
        if not _is_cancelled(error):
            raise
        raise _timeout(seconds) from error


def unless_busy(compute: Callable[[], T]) -> T | None:
    """Return the result of a function; None if it is refused as BUSY, as after a time limit."""
    try:
        return compute()
    except Refused as refusal:
        if refusal.code is not Code.BUSY:
            raise
        return None


def _is_cancelled(error: OperationalError) -> bool:
    """Return whether a query was cancelled, by error code: messages depend on the locale."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.OperationalError):
        return cause.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT
    return getattr(cause, "sqlstate", None) == QUERY_CANCELED


def _timeout(seconds: float) -> Refused:
    return Refused(
        Code.BUSY, f"The search took longer than {seconds:g} s; try a more specific search."
    )


def _refuse_after(seconds: float, end: float) -> Callable[..., Any]:
    def execute(run: Callable[..., Any], *statement: Any) -> Any:
        if time.monotonic() > end:
            raise _timeout(seconds)
        return run(*statement)

    return execute


@contextmanager
def _postgresql(seconds: float, _end: float) -> Iterator[None]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{seconds * 1000:g}"])
        yield
        cursor.execute("SET LOCAL statement_timeout TO DEFAULT")  # for an enclosing transaction


@contextmanager
def _sqlite(_seconds: float, end: float) -> Iterator[None]:
    connection.ensure_connection()
    driver = connection.connection
    driver.set_progress_handler(lambda: time.monotonic() > end, STEPS)
    try:
        yield
    finally:
        driver.set_progress_handler(None, 0)
