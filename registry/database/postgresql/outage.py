"""Records whether PostgreSQL is away: the last attempt to connect failed, or it does not answer.

The pool connects in threads of its own and keeps the errors to itself, so that a request would wait
for the pool's timeout before it learns that the server is away. And a server that is stopped, or
its machine, accepts a query and never answers: without a heartbeat, threads would wait forever.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from threading import Lock
from typing import Any, TypeVar

import psycopg

from registry.database import deadlines

RETRY_INTERVAL = 1  # second between two requests that try to connect during an outage
MAX_SILENCE = 5  # seconds until a heartbeat is answered; connecting may take as long
CANCEL_TIMEOUT = 2  # seconds for another connection that cancels a query
NO_ANSWER = "The server does not answer."

Result = TypeVar("Result")


class Outage:
    """The state of one process: an outage lasts from a failed connection to a successful one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._next_attempt = 0.0
        self.is_on = False  # the last attempt to connect failed
        self.is_hanging = False  # the server accepted a heartbeat and has not answered it

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


class NoAnswer(psycopg.OperationalError):
    """The server does not answer; the connection is closed."""


class WatchedConnection(psycopg.Connection[Any]):
    """A connection that looks ten times a second whether waiting for the server makes sense."""

    def wait(
        self, gen: Generator[Any, Any, Result], interval: float = 0.1, timeout: float | None = None
    ) -> Result:
        """Return what the server answers. Raises `NoAnswer`."""
        start = time.monotonic()
        try:
            return super().wait(_watched(gen, lambda: self._look(start)), interval, timeout)
        except NoAnswer:
            self.close()
            raise

    def _look(self, start: float) -> None:
        """Look whether to wait on for the answer to what was sent at `start`. Raises `NoAnswer`."""
        if time.monotonic() - start > MAX_SILENCE:
            raise NoAnswer(NO_ANSWER)


def _watched(
    gen: Generator[Any, Any, Result], look: Callable[[], None]
) -> Generator[Any, Any, Result]:
    """Run a generator of psycopg, and call a function whenever it waits in vain."""
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready:
                look()
            wanted = gen.send(ready)
    except StopIteration as end:
        result: Result = end.value
        return result


class TrackedConnection(WatchedConnection):
    """A connection that begins an outage if it cannot be opened, and ends one if it can.

    It waits for as long as a query takes, unless the server does not answer heartbeats, or a
    deadline passes: then it asks the server to cancel the query, which raises `QueryCanceled`.
    """

    _cancelled = 0.0  # when, the last time

    def _look(self, start: float) -> None:
        if outage.is_hanging:
            raise NoAnswer(NO_ANSWER)
        if deadlines.has_passed() and self._cancelled < start:
            self._cancelled = time.monotonic()
            self.cancel_safe(timeout=CANCEL_TIMEOUT)

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
