"""Tell the state of the database from defects: busy, unreachable, full, read-only or damaged.

The drivers' codes decide, never their messages, which depend on version and locale.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import DatabaseError, OperationalError, connection

from registry.database.deadlines import was_cancelled
from registry.domain.errors import Code, Refused

LOG_INTERVAL = 1  # second between two log messages with the same code
FAILURE_LIFETIME = 10  # seconds for which a failed write counts; probes come more often

LOCKED = "Another write is in progress; try again shortly."
SLOW = "The database did not respond in time; try again shortly."
UNREACHABLE = "The database is not available; try again shortly."
FULL = "The storage of the registry is full, so nothing was saved. Reading works. Try again later."
READ_ONLY = (
    "The database of the registry is read-only, so nothing was saved. Reading works. "
    "Try again later."
)
DAMAGED = "The database of the registry is damaged, and its operator has to restore a backup."

# Decision 060: what passes is an answer to retry; anything unknown stays an error.
STATES = {  # SQLSTATEs of PostgreSQL
    "40001": (Code.BUSY, SLOW),  # serialization failure
    "40P01": (Code.BUSY, SLOW),  # deadlock
    "55P03": (Code.BUSY, LOCKED),  # lock not available in time
    "25P03": (Code.BUSY, SLOW),  # the transaction was idle for too long
    "53300": (Code.BUSY, UNREACHABLE),  # too many connections
    "57P01": (Code.BUSY, UNREACHABLE),  # the server is shutting down
    "57P02": (Code.BUSY, UNREACHABLE),  # the server has crashed
    "57P03": (Code.BUSY, UNREACHABLE),  # the server is starting
    "53100": (Code.STORAGE_FULL, FULL),
    "25006": (Code.READ_ONLY, READ_ONLY),  # a standby, or default_transaction_read_only
}
DAMAGED_STATES = frozenset({"XX001", "XX002"})  # SQLSTATEs: data corrupted, index corrupted
PRIMARY_CODE = 0xFF  # mask of SQLite's extended error codes

log = logging.getLogger(__name__)

_next_log: dict[Code, float] = {}  # when the next message with a code may be logged
_failure: tuple[float, Code] | None = None  # the last write that failed, or read of damage


def refusal(error: BaseException) -> Refused | None:
    """Return the refusal of an error that the state of the database explains; None for any other.

    The codes are BUSY, STORAGE_FULL, READ_ONLY and STORAGE_DAMAGED.
    """
    if damage(error):
        return Refused(Code.STORAGE_DAMAGED, DAMAGED)
    cause = error.__cause__ if isinstance(error, DatabaseError) else None
    reason: tuple[Code, str] | None = None
    if was_cancelled(error):
        reason = (Code.BUSY, SLOW)
    elif isinstance(cause, sqlite3.Error):
        reason = _sqlite(getattr(cause, "sqlite_errorcode", 0))
    elif cause and hasattr(cause, "sqlstate"):  # of psycopg, which only PostgreSQL needs
        is_unreachable = cause.sqlstate is None and isinstance(error, OperationalError)
        reason = (Code.BUSY, UNREACHABLE) if is_unreachable else STATES.get(cause.sqlstate or "")
    return Refused(*reason) if reason else None


def _sqlite(error_code: int) -> tuple[Code, str] | None:
    primary = error_code & PRIMARY_CODE
    if primary in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return Code.BUSY, LOCKED
    if primary == sqlite3.SQLITE_READONLY:
        return Code.READ_ONLY, READ_ONLY
    if primary == sqlite3.SQLITE_FULL:
        return Code.STORAGE_FULL, FULL
    if primary in {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}:
        folder = Path(connection.settings_dict["NAME"]).parent
        if _has_no_space(folder):  # for example: the wal-index cannot grow
            return Code.STORAGE_FULL, FULL
        if primary == sqlite3.SQLITE_CANTOPEN:
            is_read_only = folder.is_dir() and not os.access(folder, os.W_OK)
            return (Code.READ_ONLY, READ_ONLY) if is_read_only else (Code.BUSY, UNREACHABLE)
    return None  # an I/O error on a disk with space needs the operator


def damage(error: BaseException | None) -> str:
    """Return a sentence for operators if the database is damaged, or none; empty otherwise.

    `refusal` is for everybody else: it names no file.
    """
    cause = error.__cause__ if isinstance(error, DatabaseError) else None
    if isinstance(cause, sqlite3.Error):
        primary = getattr(cause, "sqlite_errorcode", 0) & PRIMARY_CODE
        is_damaged = primary in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
    else:
        is_damaged = getattr(cause, "sqlstate", None) in DAMAGED_STATES
    if not is_damaged:
        return ""
    return (
        f"The database {connection.settings_dict['NAME']} is damaged ({str(error).strip()}): "
        "restore the last backup into a new one, see “Restore” in docs/operating.md."
    )


def failed_access(error: BaseException) -> str:
    """Return a sentence for operators if SQLite cannot read or write a file; empty otherwise."""
    cause = error.__cause__ if isinstance(error, DatabaseError) else None
    primary = getattr(cause, "sqlite_errorcode", 0) & PRIMARY_CODE
    if primary != sqlite3.SQLITE_IOERR or refusal(error):
        return ""
    return (
        f"The database {connection.settings_dict['NAME']} cannot be read or written "
        f"({str(error).strip()}): check its disk, and limits on the size of files."
    )


def is_disk_full() -> bool:
    """Return whether the disk of a SQLite database has no space. PostgreSQL's disk is not ours."""
    is_sqlite = connection.vendor == "sqlite"
    return is_sqlite and _has_no_space(Path(connection.settings_dict["NAME"]).parent)


def _has_no_space(folder: Path) -> bool:
    try:
        return os.statvfs(folder).f_bavail == 0
    except OSError:
        return False


def report(error: BaseException) -> Refused | None:
    """Return the `refusal` of an error; log it, at most once a second for each code."""
    global _failure  # noqa: PLW0603 - one database per process
    refused = refusal(error)
    if refused is None:
        return None
    now = time.monotonic()
    if refused.code is not Code.BUSY:
        _failure = now, refused.code
    if now >= _next_log.get(refused.code, 0):
        _next_log[refused.code] = now + LOG_INTERVAL
        level = logging.WARNING if refused.code is Code.BUSY else logging.ERROR
        log.log(level, "%s: %s", refused.code, damage(error) or str(error).strip())
    return refused


def record_write() -> None:
    """Record that a write was committed: an earlier failure no longer counts, unless of damage."""
    global _failure  # noqa: PLW0603 - one database per process
    if last_failure() is not Code.STORAGE_DAMAGED:
        _failure = None


def last_failure() -> Code | None:
    """Return why the storage rejected the last write of this process; None if it did not.

    STORAGE_DAMAGED if it was found to be damaged, by a read or a write.
    A failure counts for ten seconds, because the disk may have space again.
    """
    if _failure is None or time.monotonic() > _failure[0] + FAILURE_LIFETIME:
        return None
    return _failure[1]


@contextmanager
def optional_write() -> Iterator[None]:
    """Skip a write that a read does on the side if the database cannot do it now."""
    try:
        yield
    except DatabaseError as error:
        if report(error) is None:
            raise
