"""Records whether the last attempt to connect to PostgreSQL failed.

The pool connects in threads of its own and keeps the errors to itself, so that a request would wait
for the pool's timeout before it learns that the server is away.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import Any

import psycopg

RETRY_INTERVAL = 1  # second between two requests that try to connect during an outage


class Outage:
    """The state of one process: an outage lasts from a failed connection to a successful one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._next_attempt = 0.0
        self.is_on = False  # the last attempt to connect failed

    def may_connect(self) -> bool:
        """Return whether a request should try to connect: during an outage, one a second."""
        if not self.is_on:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._next_attempt:
                return False
            self._next_attempt = now + RETRY_INTERVAL
            return True


outage = Outage()


class TrackedConnection(psycopg.Connection[Any]):
    """A connection that begins an outage if it cannot be opened, and ends one if it can."""

    @classmethod
    def connect(cls, *args: Any, **kwargs: Any) -> TrackedConnection:
        """Open a connection. Raises `psycopg.OperationalError`."""
        try:
            connection = super().connect(*args, **kwargs)
        except psycopg.OperationalError:
            outage.is_on = True
            raise
        outage.is_on = False
        return connection
