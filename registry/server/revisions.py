"""Knows the revision of all answers (`AnswerRevision`) at any moment, nearly for free.

An answer that was read after revision R was known contains every write up to R. So it is up to
date for as long as R is the last known revision.

On SQLite the last known revision is always the last committed one. On PostgreSQL it follows a
commit by the time that a notification takes.
"""

from __future__ import annotations

import logging
import mmap
import os
import sqlite3
import sys
import time
from collections.abc import Hashable
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any, Protocol

import psycopg

from registry.database.postgresql.outage import NoAnswer, WatchedConnection, outage
from registry.database.settings import TIMEOUTS
from registry.models.revision_triggers import CHANNEL

HEARTBEAT = 1.0  # seconds between two
MAX_SILENCE = 2.0  # seconds since the last heartbeat, after which the revision is unknown
RETRY = 1.0  # seconds before the next attempt to connect

HEADER_SIZE = 48  # bytes
WAL_INDEX_VERSION = 3_007_000  # the only one

READ = "SELECT number FROM registry_answerrevision"
BEAT = f"SELECT pg_notify('{CHANNEL}', number || ' ' || %s) FROM registry_answerrevision"  # noqa: S608 - a constant

NO_ANSWER = (NoAnswer, psycopg.errors.ConnectionTimeout)

UNKNOWN: tuple[Hashable | None, float] = (None, 0.0)  # a revision, and the time of a heartbeat

log = logging.getLogger(__name__)


class Revisions(Protocol):
    """The last known revision."""

    def current(self) -> Hashable | None:
        """Return the last known revision, or None if it is unknown. Does not block."""


class SqliteRevisions:
    """The revision in a SQLite file, read by a connection that nothing else uses.

    Every commit changes the header of the write-ahead log's index, in memory that all processes
    share, before the writer learns that it has succeeded. Looking at it takes a tenth of a
    microsecond; `PRAGMA data_version` would take twenty times as long, and give up Python's lock.
    The revision is read when the header has changed.

    Only one thread may use this.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._next_attempt = 0.0
        self._connections = 0
        self._index: mmap.mmap | None = None
        self._header = b""
        self._revision: Hashable | None = None

    def current(self) -> Hashable | None:
        """Return the committed revision; None if the database cannot be read now."""
        if self._index is None and not self._connect():
            return None
        header = self._index[:HEADER_SIZE]  # type: ignore[index] # connected
        if header != self._header:
            try:
                self._revision = (self._connections, self._read())
            except sqlite3.Error:
                self._disconnect()
                return None
            self._header = header  # a commit after this look at it changes it again
        return self._revision

    def _read(self) -> int:
        ((number,),) = self._connection.execute(READ).fetchall()  # type: ignore[union-attr] # connected
        return int(number)

    def _connect(self) -> bool:
        """Open the connection and the index; return whether that was possible."""
        now = time.monotonic()
        if now < self._next_attempt:
            return False
        self._next_attempt = now + RETRY
        try:
            self._connection = sqlite3.connect(
                f"{self._path.absolute().as_uri()}?mode=ro",
                uri=True,
                timeout=0,
                isolation_level=None,  # each statement is a transaction
                check_same_thread=False,
            )
            self._read()  # from now on, no process removes the index
            self._index = _open_index(f"{self._path}-shm")
        except (sqlite3.Error, OSError):
            self._disconnect()
            return False
        self._connections += 1
        return True

    def _disconnect(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection, self._index, self._header = None, None, b""


def _open_index(path: str) -> mmap.mmap:
    """Return the index of a write-ahead log. Raises `OSError` if it has another format.

    https://www.sqlite.org/walformat.html#the_wal_index_file_format
    """
    status = Path(path).stat()
    index = _map_forever(path, (status.st_dev, status.st_ino))
    if int.from_bytes(index[:4], sys.byteorder) != WAL_INDEX_VERSION:
        raise OSError(f"{path} has an unknown format")
    return index


@cache
def _map_forever(path: str, _file: tuple[int, int]) -> mmap.mmap:
    """Map the header of the index, until the process ends.

    To close any descriptor of this file would release the locks that SQLite holds on it in this
    process (POSIX), and other processes could overwrite what it reads.
    """
    return mmap.mmap(os.open(path, os.O_RDONLY), HEADER_SIZE, prot=mmap.PROT_READ)


class PostgresqlRevisions:
    """The revision in PostgreSQL, as notifications report it to a thread with its own connection.

    Every second the thread sends a heartbeat through the same channel. Notifications arrive in
    commit order: with its own heartbeat, all commits before it have arrived.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._connections = 0
        self._known = UNKNOWN
        Thread(target=self._follow, name="revisions", daemon=True).start()

    def current(self) -> Hashable | None:
        """Return the last known revision; None if the last heartbeat is two seconds old."""
        revision, heartbeat = self._known
        return revision if time.monotonic() - heartbeat < MAX_SILENCE else None

    def _follow(self) -> None:
        while True:
            try:
                with WatchedConnection.connect(
                    self._url, autocommit=True, **TIMEOUTS
                ) as connection:
                    outage.is_hanging = False
                    self._listen(connection)
            except psycopg.Error as error:
                # Decision 154: until a server answers, no thread waits for one.
                outage.is_hanging = isinstance(error, NO_ANSWER)
                if self._known != UNKNOWN:
                    log.warning("The connection for revisions is lost: %s", error)
                self._known = UNKNOWN
                time.sleep(RETRY)

    def _listen(self, connection: psycopg.Connection[Any]) -> None:
        """Follow the notifications until the connection breaks.

        Revisions of two connections are never equal: the server may have lost commits in between.
        """
        self._connections += 1
        connection.execute(f"LISTEN {CHANNEL}")
        own, number = str(connection.info.backend_pid), 0
        while True:
            sent = time.monotonic()
            connection.execute(BEAT, [own])
            for notification in connection.notifies(timeout=HEARTBEAT):
                reported, _, sender = notification.payload.partition(" ")
                number = max(number, int(reported))
                heartbeat = sent if sender == own else self._known[1]
                self._known = ((self._connections, number), heartbeat)
