"""Consistent, read-only snapshots of the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all queries in the block see the same state, without blocking writes.

    Inside a transaction, they see what it sees.
    """
    if connection.in_atomic_block:
        yield
        return
    start = _postgresql if connection.vendor == "postgresql" else _sqlite
    with start():
        yield


@contextmanager
def _postgresql() -> Iterator[None]:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _sqlite() -> Iterator[None]:
    """Begin manually: Django's transactions take the write lock (settings)."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
