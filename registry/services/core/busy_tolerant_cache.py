"""A cache for request counts that gives up when the database is busy or cannot write.

On SQLite, counting takes the write lock. A long write must not delay requests that only read, so
a request goes uncounted instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from registry.services.core import database_errors

BUSY_TIMEOUT = 100  # milliseconds; nearly every write takes less


def read_counts(key: str) -> list[float]:
    """Return the moments that are counted; an empty list if the database is busy."""
    counted: list[float] = []
    with database_errors.optional_write(), short_busy_timeout():
        counted = cache.get(key, [])  # deletes an expired value
    return counted  # noqa: RET504 - empty, if the block is skipped


def store_counts(key: str, counted: list[float], seconds: int) -> None:
    """Store moments for so many seconds; skip the write if it fails."""
    with database_errors.optional_write(), short_busy_timeout():
        cache.set(key, counted, seconds)


def delete_expired_counts(at_most: int) -> int:
    """Delete expired rows of the cache; return their number. Django waits until it is full."""
    table = connection.ops.quote_name(str(settings.CACHES["default"]["LOCATION"]))
    expired = f"SELECT cache_key FROM {table} WHERE expires < %s ORDER BY expires LIMIT %s"  # noqa: S608 - a setting
    now = connection.ops.adapt_datetimefield_value(timezone.now().replace(microsecond=0))
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE cache_key IN ({expired})", [now, at_most])  # noqa: S608 - a setting
        return int(cursor.rowcount)


@contextmanager
def short_busy_timeout(milliseconds: int = BUSY_TIMEOUT) -> Iterator[None]:
    """Shorten SQLite's wait for the lock, and do not wait for the disk: the rows may be lost.

    PostgreSQL locks single rows and needs no limit.
    """
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    driver = connection.connection
    default = 1000 * connection.settings_dict["OPTIONS"]["timeout"]
    is_first = not driver.in_transaction  # SQLite refuses to change `synchronous` inside one
    driver.execute(f"PRAGMA busy_timeout = {milliseconds}")
    if is_first:
        driver.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        driver.execute(f"PRAGMA busy_timeout = {default}")
        if is_first:
            driver.execute("PRAGMA synchronous = FULL")
