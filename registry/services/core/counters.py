"""How often somebody asked lately: kept in the cache, given up where the database is busy.

On SQLite a count waits for the same lock as every other write. A long write must not hold up who
only wants to check something; then a request goes uncounted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import OperationalError, connection

from registry.services.core.transactions import is_transient_error

PATIENCE = 100  # milliseconds; nearly every write takes less


class BusyTolerantCache(BaseCache):
    """The part of a cache's interface that throttles use."""

    def __init__(self) -> None:
        super().__init__({})

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """What is kept; the default where nothing is, or what has expired cannot be removed."""
        try:
            with _briefly():
                return cache.get(key, default, version)
        except OperationalError as error:
            if not is_transient_error(error):
                raise
            return default

    def set(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        """Keep it for so long, if it can be written: Django's cache is silent where it cannot."""
        with _briefly():
            cache.set(key, value, timeout, version)


@contextmanager
def _briefly() -> Iterator[None]:
    """Let SQLite wait for the lock only so long. PostgreSQL locks single rows, as briefly."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    driver = connection.connection
    driver.execute(f"PRAGMA busy_timeout = {PATIENCE}")
    try:
        yield
    finally:
        usual = 1000 * connection.settings_dict["OPTIONS"]["timeout"]
        driver.execute(f"PRAGMA busy_timeout = {usual}")
