"""The memory in which SQLite keeps pages of the database; PostgreSQL's is its server's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

LARGE = 64  # MiB; by default 2, as every connection has a cache of its own


# Decision 174: only while the catalogue is loaded.
@contextmanager
def large_page_cache() -> Iterator[None]:
    """Keep more pages in memory while many rows are written, which spread over all indexes.

    With SQLite's default, a transaction writes and reads the same pages several times.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        (before,) = cursor.execute("PRAGMA cache_size").fetchone()
        cursor.execute(f"PRAGMA cache_size = -{LARGE * 1024}")  # in KiB if negative
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA cache_size = {before}")
