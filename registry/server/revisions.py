"""Knows the revision of all answers (`AnswerRevision`) at any moment, nearly for free.

An answer that was read after revision R was known contains every write up to R. It is up to date
for as long as no later revision changes one of its tags.

On SQLite the last known revision is always the last committed one. On PostgreSQL it follows a
commit by the time that a notification takes.
"""

from __future__ import annotations

import json
import logging
import mmap
import os
import sqlite3
import sys
import time
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, Protocol

import psycopg

from registry.database.postgresql.base import pool_connections
from registry.database.postgresql.outage import NoAnswer, WatchedConnection, outage
from registry.database.postgresql.positions import READ_POSITION, Position
from registry.database.settings import TIMEOUTS
from registry.models.revision_triggers import CHANNEL
from registry.services.core import metrics

HEARTBEAT = 1.0  # seconds between two
MAX_SILENCE = 2.0  # seconds since the last heartbeat, after which the revision is unknown
POLL = 0.02  # seconds between two looks, where notifications do not arrive
RETRY = 1.0  # seconds before the next attempt to connect

MAX_STEPS = 500  # revisions whose tags are read; after more, every tag counts as changed
MAX_TAGS = 500  # that are forgotten one by one

HEADER_SIZE = 48  # bytes
WAL_INDEX_VERSION = 3_007_000  # the only one

READ = "SELECT number FROM registry_answerrevision"
READ_TAGS = "SELECT tags FROM registry_answerchange WHERE number > ? AND number <= ?"
READ_CHANGES = """
SELECT revision.number, change.number, change.tags FROM registry_answerrevision AS revision
LEFT JOIN registry_answerchange AS change ON change.number > greatest(%s, revision.number - %s)
ORDER BY change.number
"""
LOOK_AROUND = "SELECT pg_is_in_recovery(), pg_backend_pid()"

NO_ANSWER = (NoAnswer, psycopg.errors.ConnectionTimeout)

log = logging.getLogger(__name__)


class Revision(NamedTuple):
    """A revision as a connection has seen it.

    Those of two connections are never equal: the server may have lost commits in between.
    """

    connection: int
    number: int


UNKNOWN: tuple[Revision | None, float] = (None, 0.0)  # a revision, and the time of a heartbeat


class Revisions(Protocol):
    """The last known revision."""

    def current(self) -> Revision | None:
        """Return the last known revision, or None if it is unknown. Does not block."""

    def changed_tags(self, before: Revision, after: Revision) -> frozenset[str] | None:
        """Return the names of the tags that changed from one revision to a later one.

        None if they are too many, or unknown. Does not block.
        """


def _steps(before: Revision, after: Revision) -> range | None:
    """Return the numbers after a revision up to a later one; None if they tell nothing."""
    numbers = range(before.number + 1, after.number + 1)
    is_known = before.connection == after.connection and 0 < len(numbers) <= MAX_STEPS
    return numbers if is_known else None


def _union(lists: Sequence[Sequence[str]]) -> frozenset[str] | None:
    """Return the tags of all revisions; None if one of them may have changed any tag."""
    tags = frozenset(chain.from_iterable(lists))
    return tags if all(lists) and len(tags) <= MAX_TAGS else None


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
        self._revision: Revision | None = None

    def current(self) -> Revision | None:
        """Return the committed revision; None if the database cannot be read now."""
        if self._index is None and not self._connect():
            return None
        header = self._index[:HEADER_SIZE]  # type: ignore[index] # connected
        if header != self._header:
            try:
                self._revision = Revision(self._connections, self._read())
            except sqlite3.Error:
                self._disconnect()
                return None
            self._header = header  # a commit after this look at it changes it again
        return self._revision

    def changed_tags(self, before: Revision, after: Revision) -> frozenset[str] | None:
        """Return the names of the tags that changed from one revision to the current one."""
        steps = _steps(before, after)
        if steps is None or not self._connection:
            return None
        try:
            rows = self._connection.execute(READ_TAGS, (before.number, after.number)).fetchall()
        except sqlite3.Error:
            return None
        return _union([json.loads(tags) for (tags,) in rows]) if len(rows) == len(steps) else None

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
    """The revision in PostgreSQL, which a thread with its own connection reads.

    It reads it when a notification says that it has changed, and every second: a heartbeat, which
    shows that all commits before it are known. Standbys notify nobody, and a pooler that shares
    connections loses notifications (decision 158): there it looks fifty times a second.

    If it `reads_positions`, it also knows how far the server has replayed the log of its primary.
    """

    def __init__(self, url: str, *, reads_positions: bool = False) -> None:
        self._url = url
        self._reads_positions = reads_positions
        self._position: Position | None = None
        self._connections = 0
        self._known = UNKNOWN
        self._tags: dict[Revision, Sequence[str]] = {}  # that each of the last revisions changed
        Thread(target=self._follow, name="revisions", daemon=True).start()

    def current(self) -> Revision | None:
        """Return the last known revision; None if the last heartbeat is two seconds old."""
        revision, heartbeat = self._known
        return revision if time.monotonic() - heartbeat < MAX_SILENCE else None

    def position(self) -> Position | None:
        """Return how far the server had replayed the log at the last look; None if unknown."""
        return self._position

    def changed_tags(self, before: Revision, after: Revision) -> frozenset[str] | None:
        """Return the names of the tags that changed from one revision to a later one."""
        steps = _steps(before, after)
        if steps is None:
            return None
        return _union([self._tags.get(after._replace(number=number), ()) for number in steps])

    def _follow(self) -> None:
        while True:
            try:
                with WatchedConnection.connect(
                    self._url, autocommit=True, prepare_threshold=None, **TIMEOUTS
                ) as connection:
                    outage.is_hanging = False
                    self._read_regularly(connection)
            except psycopg.Error as error:
                # Decision 154: until a server answers, no thread waits for one.
                outage.is_hanging = isinstance(error, NO_ANSWER)
                if self._known != UNKNOWN:
                    log.warning("The connection for revisions is lost: %s", error)
                self._known, self._position = UNKNOWN, None
                time.sleep(RETRY)

    def _read_regularly(self, connection: psycopg.Connection[Any]) -> None:
        """Read the revision until the connection breaks."""
        hears = _hears_notifications(connection)
        if hears:
            connection.execute(f"LISTEN {CHANNEL}")
        else:
            log.warning("No notifications arrive here: looks for changes every %g s.", POLL)
        known = Revision(self._connections, -1)
        while True:
            known = self._read(connection, known)
            metrics.note_revision()
            metrics.note_pool(pool_connections())
            if hears:
                for _ in connection.notifies(timeout=HEARTBEAT, stop_after=1):
                    self._known = UNKNOWN  # until the next look says what has changed
            else:
                time.sleep(POLL)

    def _read(self, connection: psycopg.Connection[Any], last: Revision) -> Revision:
        """Read and return the current revision, with the tags of those after the last one."""
        sent = time.monotonic()
        rows = connection.execute(READ_CHANGES, [last.number, MAX_STEPS]).fetchall()
        number, *_ = rows[0]
        if last.number < 0 or number < last.number:  # behind a pooler the server can be another
            self._connections += 1
            self._tags.clear()
        revision = Revision(self._connections, number)
        for _, step, tags in rows:
            if step is not None:
                self._tags[revision._replace(number=step)] = json.loads(tags)
        while len(self._tags) > MAX_STEPS:
            del self._tags[next(iter(self._tags))]
        self._known = revision, sent  # last: whoever sees it finds its tags
        if self._reads_positions:
            self._position = Position.of_row(connection.execute(READ_POSITION).fetchone())
        return revision


def _hears_notifications(connection: psycopg.Connection[Any]) -> bool:
    """Return whether notifications of the primary arrive at a connection."""
    ((is_standby, backend),) = connection.execute(LOOK_AROUND).fetchall()
    return not is_standby and backend == connection.info.backend_pid
