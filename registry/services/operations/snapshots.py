"""A consistent view of the database for many queries, while writes continue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all queries inside see the same state, read-only, without blocking writes.

    Inside a transaction, it is that transaction's view.
    """
    if connection.in_atomic_block:
        yield
        return
    view = _postgresql if connection.vendor == "postgresql" else _sqlite
    with view():
        yield


@contextmanager
def _postgresql() -> Iterator[None]:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _sqlite() -> Iterator[None]:
    """Begin by hand: Django's own transactions take the write lock at once (settings)."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
