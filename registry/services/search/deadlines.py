"""Queries that strangers shape end by themselves."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection, transaction
from psycopg.errors import QueryCanceled

from registry.domain.errors import Code, Refused

STEPS = 10_000  # of SQLite's machine between two looks at the clock: about a millisecond


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Let queries run for so long, all together; on PostgreSQL the last of them as long again.

    Raises `Refused` (BUSY) after that. The connection can be used as before.
    """
    end = time.monotonic() + seconds
    limited = _postgresql if connection.vendor == "postgresql" else _sqlite
    try:
        with limited(seconds, end), connection.execute_wrapper(_refusing_after(seconds, end)):
            yield
    except OperationalError as error:
        if not _is_cut_short(error):
            raise
        raise _late(seconds) from error


def _is_cut_short(error: OperationalError) -> bool:
    """Whether a query was ended from outside. What databases say of it depends on the language."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.OperationalError):
        return cause.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT
    return isinstance(cause, QueryCanceled)


def _late(seconds: float) -> Refused:
    return Refused(
        Code.BUSY, f"The search took longer than {seconds:g} s; ask for less of it at once."
    )


def _refusing_after(seconds: float, end: float) -> Callable[..., Any]:
    def execute(run: Callable[..., Any], *statement: Any) -> Any:
        if time.monotonic() > end:
            raise _late(seconds)
        return run(*statement)

    return execute


@contextmanager
def _postgresql(seconds: float, _end: float) -> Iterator[None]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{seconds * 1000:g}"])
        yield
        cursor.execute("SET LOCAL statement_timeout TO DEFAULT")  # in a longer transaction


@contextmanager
def _sqlite(_seconds: float, end: float) -> Iterator[None]:
    connection.ensure_connection()
    driver = connection.connection
    driver.set_progress_handler(lambda: time.monotonic() > end, STEPS)
    try:
        yield
    finally:
        driver.set_progress_handler(None, 0)
