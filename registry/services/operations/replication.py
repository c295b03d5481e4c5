"""The replication of the database: where a write is, and how far a standby is behind."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection

from registry.database.postgresql.positions import READ_WRITTEN, Position
from registry.services.core import database_errors

PATIENCE = 1.0  # seconds in which a standby that keeps up replays what it has received
INTERVAL = 0.05  # seconds between two looks

# A receiver has a row while it is connected. Without one, nobody knows what the primary has written
# since; a network that is cut is noticed after `wal_receiver_timeout`.
READ_LAG = """
SELECT EXISTS (SELECT FROM pg_stat_wal_receiver), pg_last_wal_receive_lsn() - '0/0',
pg_last_wal_replay_lsn() - '0/0',
extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()),
(SELECT setting::int FROM pg_settings WHERE name = 'wal_receiver_timeout')
"""


def written_position() -> Position | None:
    """Return a position of the log that has all that this process has committed.

    None if no node reads from a standby, or if the database is one or cannot say now.
    """
    if not settings.STANDBY_LAG or connection.vendor != "postgresql":
        return None
    try:
        with connection.cursor() as cursor:
            cursor.execute(READ_WRITTEN)
            row = cursor.fetchone()
            return Position.of_row(row) if row else None
    except DatabaseError as error:
        if database_errors.report(error) is None:
            raise
        return None


def is_standby() -> bool:
    """Return whether this node is to read from a standby, and does."""
    if not settings.STANDBY_LAG or connection.vendor != "postgresql":
        return False
    return bool(*_read_row("SELECT pg_is_in_recovery()"))


def lag_problem() -> str | None:
    """Return why a standby must not be read from; None if it is not too far behind."""
    deadline, wanted = time.monotonic() + PATIENCE, None
    while True:
        is_connected, received, replayed, seconds, timeout = _read_row(READ_LAG)
        if not 0 < timeout <= 1000 * settings.STANDBY_LAG:
            return "wal_receiver_timeout of the standby is longer than REGISTRY_STANDBY_LAG"
        wanted = received if wanted is None else wanted
        if is_connected and wanted is not None and replayed is not None and replayed >= wanted:
            return None
        if not is_connected or time.monotonic() >= deadline:
            break
        time.sleep(INTERVAL)
    if seconds is not None and seconds <= settings.STANDBY_LAG:
        return None
    behind = "for an unknown time" if seconds is None else f"for {seconds:.0f} s"
    reason = "it lacks what it has received" if is_connected else "it has lost its primary"
    return f"the standby is behind: {reason}, and has replayed no commit {behind}"


def _read_row(query: str) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        (row,) = cursor.fetchall()
    return tuple(row)
