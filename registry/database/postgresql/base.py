"""Django's backend for PostgreSQL, except that requests fail at once while the server is away.

A pool whose connections are all in use is another matter: requests wait for one for five seconds.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import psycopg
from django.db.backends.postgresql import base, operations
from psycopg_pool import PoolTimeout

from registry.database import deadlines
from registry.database.postgresql.outage import outage

POOL_TIMEOUT = 5  # seconds


class DatabaseOperations(operations.DatabaseOperations):
    """Django's operations, which also know the statements of prepared cursors."""

    def last_executed_query(self, cursor: Any, sql: Any, params: Any) -> Any:
        """Return the statement with its parameters, for logs and tests."""
        if isinstance(cursor, base.ServerBindingCursor):
            return self.compose_sql(sql, params)
        return super().last_executed_query(cursor, sql, params)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL, taken from the pool."""

    ops_class = DatabaseOperations
    last_pool: Any = None  # of this process; None before its first connection

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.execute_wrappers.append(deadlines.refuse_late)

    def get_new_connection(self, conn_params: Any) -> Any:
        """Return a connection. Raises an `OperationalError` during an outage, or after 5 s.

        The pool waits for a tenth of a second at a time (settings), to notice an outage.
        """
        deadline = time.monotonic() + POOL_TIMEOUT
        if not (outage.may_connect() or self._has_idle_connection()):
            raise psycopg.OperationalError("The server did not accept the last connection.")
        DatabaseWrapper.last_pool = self.pool
        while True:
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                if outage.is_on or time.monotonic() >= deadline:
                    raise

    def prepared_cursor(self) -> Any:
        """Return a cursor whose statements the server plans once for each connection."""
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:  # Django's own cursors put parameters into the statement
            cursor: Any = base.ServerBindingCursor(self.connection)  # type: ignore[call-arg]  # of psycopg
        return self.make_debug_cursor(cursor) if self.queries_logged else self.make_cursor(cursor)

    def _has_idle_connection(self) -> bool:
        return bool(self.pool and self.pool.get_stats()["pool_available"])


def pool_connections() -> Mapping[str, int]:
    """Return how many connections of this process's pool are in use and idle, and who waits."""
    if (pool := DatabaseWrapper.last_pool) is None:
        return {}
    stats = pool.get_stats()
    idle = stats["pool_available"]
    return {"used": stats["pool_size"] - idle, "idle": idle, "waiting": stats["requests_waiting"]}
