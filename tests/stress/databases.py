"""The databases of a registry under stress, and what can happen to them."""

import os
import secrets
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psycopg

from tests.databases import FILE
from tests.postgres import Cluster, cluster
from tests.stress.server import send_signal, wait_for_exit

LOCK_ID = 0x7461726765740001  # of services/core/transactions.py
PATIENCE = 1  # seconds: longer than other writers' short transactions, shorter than a stall
GRAB = 1  # second in which the connections of the server become free
CONNECTIONS = 24  # that PostgreSQL accepts: twice as many as the server opens, and some
# Durable, unlike the tests' server: a crash must keep what was acknowledged. Small files, so that
# a small disk has room.
DURABLE = {
    "max_connections": str(CONNECTIONS),
    "min_wal_size": "4MB",
    "max_wal_size": "32MB",
    "shared_buffers": "32MB",
}


class Sqlite:
    """A SQLite file in REGISTRY_VAR."""

    name = "SQLite"
    delay = 0.0

    def __init__(self, var: Path) -> None:
        self._file = var / FILE
        self.environment = {"DATABASE_URL": ""}

    @contextmanager
    def held_lock(self) -> Iterator[None]:
        """Hold the write lock from outside the server."""
        connection = sqlite3.connect(self._file, timeout=30, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield
        finally:
            connection.close()

    def try_lock(self) -> bool:
        """Return whether an outside process gets the write lock in `PATIENCE`."""
        connection = sqlite3.connect(self._file, timeout=PATIENCE, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        finally:
            connection.close()
        return True


class Postgresql:
    """A PostgreSQL server from the wheel of the tests."""

    name = "PostgreSQL"
    delay = 2.0  # seconds without a heartbeat, after which a process does not trust its memory

    def __init__(self, server: Cluster) -> None:
        self._server = server
        self.environment = {
            "DATABASE_URL": server.url,
            "SECRET_KEY": secrets.token_urlsafe(48),
        }

    @contextmanager
    def held_lock(self) -> Iterator[None]:
        """Hold the write lock from outside the server."""
        with psycopg.connect(self._server.url) as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK_ID])
            yield
            connection.rollback()

    def try_lock(self) -> bool:
        """Return whether an outside process gets the write lock in `PATIENCE`."""
        try:
            with psycopg.connect(self._server.url) as connection:
                connection.execute("SELECT set_config('lock_timeout', %s, true)", [f"{PATIENCE}s"])
                connection.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK_ID])
                connection.rollback()
        except psycopg.OperationalError:
            return False
        return True

    @contextmanager
    def exhausted_connections(self) -> Iterator[None]:
        """Take all connections that are left, then end the server's and take those too."""
        with ExitStack() as stack:
            held = self._take_connections(stack)
            held[0].execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE backend_type = 'client backend' AND NOT pid = ANY(%s)",
                [[connection.info.backend_pid for connection in held]],
            )
            deadline = time.monotonic() + GRAB
            while time.monotonic() < deadline:
                held += self._take_connections(stack)
            yield

    def _take_connections(self, stack: ExitStack) -> list[psycopg.Connection]:
        held: list[psycopg.Connection] = []
        with suppress(psycopg.OperationalError):
            while len(held) < CONNECTIONS:
                connection = psycopg.connect(self._server.url, autocommit=True)
                held.append(stack.enter_context(connection))
        return held

    def restart(self) -> None:
        """Restart as an operator does: clients are disconnected, transactions rolled back."""
        self._server.stop("fast")
        self._server.start()

    def kill(self) -> None:
        """Kill all its processes at once, and start it again."""
        family = self._server.processes()
        for pid in family:
            send_signal(pid, signal.SIGKILL)
        wait_for_exit(family)
        self._start()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Keep it from answering, although it accepts connections."""
        with self._server.paused():
            yield

    def revive(self) -> None:
        """Start it again if it has ended."""
        try:
            os.kill(self._server.pid, 0)
        except (FileNotFoundError, ProcessLookupError):
            self._start()

    def _start(self) -> None:
        deadline = time.monotonic() + 30
        while True:
            try:
                self._server.start()
            except RuntimeError:  # another process still has the shared memory
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
            else:
                return


Database = Sqlite | Postgresql


@contextmanager
def run_database(name: str, var: Path, disk: Path | None) -> Iterator[Database]:
    """Yield the database of a new registry, stored on the disk if there is one."""
    if name == "sqlite":
        yield Sqlite(var)
    else:
        with cluster(DURABLE, "--wal-segsize=1", folder=disk) as server:
            yield Postgresql(server)
