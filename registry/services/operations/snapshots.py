"""One view of the whole registry for many queries, while others go on writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Every query inside sees one moment; nothing is written, nobody waits.

    Inside a transaction it is that transaction's view.
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
    """Begun by hand: Django's own transactions begin with the write lock (settings)."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
