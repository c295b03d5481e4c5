"""Which database errors pass, what they are called, and how often the log says so."""

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from django.db import DatabaseError, connection
from psycopg import errors

from registry.domain.errors import Code
from registry.services.core import database_errors
from tests import database_faults
from tests.database_faults import sqlite_error, wrapped


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the monotonic time, which tests can set; forget what other tests have reported."""
    now = [1000.0]
    monkeypatch.setattr(database_errors.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(database_errors, "_next_log", {})
    monkeypatch.setattr(database_errors, "_failure", None)
    return now


def code_of(error: Exception) -> Code | None:
    refusal = database_errors.refusal(error)
    return refusal.code if refusal else None


@pytest.mark.parametrize(
    ("cause", "code"),
    [
        (errors.LockNotAvailable(), Code.BUSY),
        (errors.QueryCanceled(), Code.BUSY),
        (errors.DeadlockDetected(), Code.BUSY),
        (errors.TooManyConnections(), Code.BUSY),
        (errors.CannotConnectNow(), Code.BUSY),
        (errors.AdminShutdown(), Code.BUSY),
        (errors.IdleInTransactionSessionTimeout(), Code.BUSY),
        (psycopg.OperationalError("connection refused"), Code.BUSY),
        (errors.DiskFull(), Code.STORAGE_FULL),
        (errors.ReadOnlySqlTransaction(), Code.READ_ONLY),
        (errors.DataCorrupted(), Code.STORAGE_DAMAGED),
        (errors.IndexCorrupted(), Code.STORAGE_DAMAGED),
        (errors.OutOfMemory(), None),
        (errors.UniqueViolation(), None),
        (psycopg.ProgrammingError("two placeholders, one parameter"), None),
        (psycopg.DataError("NUL"), None),
    ],
)
def test_errors_of_postgresql(cause: psycopg.Error, code: Code | None) -> None:
    assert code_of(wrapped(cause)) == code


@pytest.mark.parametrize(
    ("error_code", "code"),
    [
        (sqlite3.SQLITE_BUSY, Code.BUSY),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, Code.BUSY),
        (sqlite3.SQLITE_LOCKED, Code.BUSY),
        (sqlite3.SQLITE_FULL, Code.STORAGE_FULL),
        (sqlite3.SQLITE_READONLY, Code.READ_ONLY),
        (sqlite3.SQLITE_READONLY_DIRECTORY, Code.READ_ONLY),
        (sqlite3.SQLITE_CANTOPEN, Code.BUSY),
        (sqlite3.SQLITE_IOERR_SHMSIZE, None),
        (sqlite3.SQLITE_IOERR_READ, None),
        (sqlite3.SQLITE_CORRUPT, Code.STORAGE_DAMAGED),
        (sqlite3.SQLITE_CORRUPT_INDEX, Code.STORAGE_DAMAGED),
        (sqlite3.SQLITE_NOTADB, Code.STORAGE_DAMAGED),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, None),
    ],
)
def test_errors_of_sqlite(
    error_code: int, code: Code | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "NAME", tmp_path / "registry.sqlite3")
    assert code_of(sqlite_error(error_code)) == code


@pytest.mark.parametrize("error_code", [sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_CANTOPEN])
def test_io_errors_of_a_full_disk(
    error_code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "NAME", tmp_path / "registry.sqlite3")
    full = {tmp_path: SimpleNamespace(f_bavail=0)}
    monkeypatch.setattr(database_errors.os, "statvfs", full.__getitem__)
    assert code_of(sqlite_error(error_code)) == Code.STORAGE_FULL


@pytest.mark.parametrize("is_read_only", [True, False])
def test_file_that_cannot_be_opened(
    is_read_only: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "NAME", tmp_path / "registry.sqlite3")
    monkeypatch.setattr(database_errors.os, "access", lambda *_: not is_read_only)
    expected = Code.READ_ONLY if is_read_only else Code.BUSY
    assert code_of(sqlite_error(sqlite3.SQLITE_CANTOPEN)) == expected


@pytest.mark.parametrize(
    "error", [DatabaseError("of Django itself"), ValueError("of something else")]
)
def test_other_errors_are_not_refusals(error: Exception) -> None:
    assert database_errors.report(error) is None


def test_log_names_each_code_once_a_second(
    clock: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(100):
        database_errors.report(database_faults.full())
        database_errors.report(database_faults.locked())
    clock[0] += database_errors.LOG_INTERVAL
    database_errors.report(database_faults.full())
    records = [record for record in caplog.records if record.name == database_errors.__name__]
    assert [record.levelno for record in records] == [
        logging.ERROR,
        logging.WARNING,
        logging.ERROR,
    ]
    assert [record.getMessage().split(":")[0] for record in records] == [
        "STORAGE_FULL",
        "BUSY",
        "STORAGE_FULL",
    ]
    assert not any(record.exc_info for record in records)


def test_failed_write_counts_until_one_succeeds(clock: list[float]) -> None:
    database_errors.report(database_faults.locked())
    assert database_errors.last_failure() is None
    database_errors.report(database_faults.full())
    assert database_errors.last_failure() is Code.STORAGE_FULL
    database_errors.record_write()
    assert database_errors.last_failure() is None


def test_damage_counts_after_a_write_elsewhere(clock: list[float]) -> None:
    database_errors.report(database_faults.damaged())
    database_errors.record_write()
    assert database_errors.last_failure() is Code.STORAGE_DAMAGED
    clock[0] += database_errors.FAILURE_LIFETIME + 0.1
    assert database_errors.last_failure() is None


def test_log_names_the_damaged_file_and_answers_do_not(caplog: pytest.LogCaptureFixture) -> None:
    name = str(connection.settings_dict["NAME"])
    refusal = database_errors.report(database_faults.damaged())
    assert refusal is not None
    assert name not in refusal.detail
    (record,) = caplog.records
    assert f"The database {name} is damaged" in record.getMessage()


def test_failed_write_counts_for_ten_seconds(clock: list[float]) -> None:
    database_errors.report(database_faults.read_only())
    clock[0] += database_errors.FAILURE_LIFETIME
    assert database_errors.last_failure() is Code.READ_ONLY
    clock[0] += 0.1
    assert database_errors.last_failure() is None


@pytest.mark.parametrize(
    "fault",
    [
        database_faults.full,
        database_faults.read_only,
        database_faults.locked,
        database_faults.unreachable,
    ],
)
def test_optional_write_is_skipped(fault: Callable[[], DatabaseError]) -> None:
    with database_errors.optional_write():
        raise fault()


def test_optional_write_does_not_hide_defects() -> None:
    with pytest.raises(DatabaseError), database_errors.optional_write():
        raise database_faults.broken()


@pytest.mark.parametrize(
    ("error", "is_damaged"),
    [
        (sqlite_error(sqlite3.SQLITE_CORRUPT), True),
        (sqlite_error(sqlite3.SQLITE_NOTADB), True),
        (sqlite_error(sqlite3.SQLITE_CORRUPT | 1 << 8), True),  # of a virtual table
        (wrapped(errors.DataCorrupted()), True),
        (sqlite_error(sqlite3.SQLITE_BUSY), False),
        (sqlite_error(sqlite3.SQLITE_IOERR), False),
        (wrapped(errors.UniqueViolation()), False),
        (DatabaseError("without a driver's error"), False),
        (ValueError("file is not a database"), False),
    ],
)
def test_only_damage_is_called_so(error: Exception, is_damaged: bool) -> None:
    assert bool(database_errors.damage(error)) is is_damaged
    assert (code_of(error) is Code.STORAGE_DAMAGED) is is_damaged
