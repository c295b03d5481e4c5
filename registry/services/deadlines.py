"""Queries that strangers shape end by themselves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction

from registry.domain.errors import Code, Refused

STEPS = 10_000  # of SQLite's machine between two looks at the clock: about a millisecond


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Let queries run for so long, on PostgreSQL each. Raises `Refused` (BUSY) after that."""
    limited = _postgresql if connection.vendor == "postgresql" else _sqlite
    try:
        with limited(seconds):
            yield
    except OperationalError as error:
        if not any(word in str(error) for word in ("interrupted", "statement timeout")):
            raise
        raise Refused(
            Code.BUSY, f"The search took longer than {seconds:g} s; ask for less of it at once."
        ) from error


@contextmanager
def _postgresql(seconds: float) -> Iterator[None]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{seconds * 1000:g}"])
        yield
        cursor.execute("SET LOCAL statement_timeout TO DEFAULT")


@contextmanager
def _sqlite(seconds: float) -> Iterator[None]:
    connection.ensure_connection()
    driver = connection.connection
    end = time.monotonic() + seconds
    driver.set_progress_handler(lambda: time.monotonic() > end, STEPS)
    try:
        yield
    finally:
        driver.set_progress_handler(None, 0)
