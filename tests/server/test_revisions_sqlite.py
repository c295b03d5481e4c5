"""The revision of a SQLite file: known at once, whichever process commits."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from registry.server import revisions as module
from registry.server.revisions import SqliteRevisions
from tests.databases import FILE, copy_sqlite

ADVANCE = "UPDATE registry_answerrevision SET number = number + 1"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    copy_sqlite(tmp_path / FILE)
    return tmp_path / FILE


@pytest.fixture
def writer(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        yield connection


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the monotonic time, which tests can set."""
    now = [1000.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_commit_is_known_at_once(file: Path, writer: sqlite3.Connection) -> None:
    revisions = SqliteRevisions(file)
    known = [revisions.current()]
    for _ in range(3):
        writer.execute(ADVANCE)
        known.append(revisions.current())
    assert None not in known
    assert len({*known}) == 4
    assert revisions.current() == known[-1]


def test_transaction_counts_from_its_commit(file: Path, writer: sqlite3.Connection) -> None:
    revisions = SqliteRevisions(file)
    before = revisions.current()
    writer.execute("BEGIN IMMEDIATE")
    writer.execute(ADVANCE)
    assert revisions.current() == before
    writer.execute("ROLLBACK")
    assert revisions.current() == before


def test_other_writes_leave_it_alone(file: Path, writer: sqlite3.Connection) -> None:
    revisions = SqliteRevisions(file)
    before = revisions.current()
    writer.execute("INSERT INTO registry_cache VALUES ('throttle', '', '2026-01-01')")
    assert revisions.current() == before


def test_reading_it_keeps_nothing_locked(file: Path, writer: sqlite3.Connection) -> None:
    SqliteRevisions(file).current()
    writer.execute(ADVANCE)
    is_busy, *_ = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert not is_busy


@pytest.mark.parametrize("content", [None, b""], ids=["no file", "no tables"])
def test_unreadable_database_has_no_revision_until_it_can_be_read(
    content: bytes | None, tmp_path: Path, clock: list[float]
) -> None:
    file = tmp_path / FILE
    if content is not None:
        file.write_bytes(content)
    revisions = SqliteRevisions(file)
    assert revisions.current() is None
    file.unlink(missing_ok=True)
    copy_sqlite(file)
    assert revisions.current() is None, "it tries once a second"
    clock[0] += module.RETRY
    assert revisions.current() is not None


def test_revisions_of_two_connections_differ(
    file: Path, writer: sqlite3.Connection, clock: list[float]
) -> None:
    revisions = SqliteRevisions(file)
    before = revisions.current()
    writer.execute("ALTER TABLE registry_answerrevision RENAME TO missing")
    assert revisions.current() is None
    writer.execute("ALTER TABLE missing RENAME TO registry_answerrevision")
    clock[0] += module.RETRY
    assert revisions.current() not in {before, None}


def test_another_format_of_sqlite_s_files_has_no_revision(
    file: Path, writer: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAL_INDEX_VERSION", module.WAL_INDEX_VERSION + 1)
    assert SqliteRevisions(file).current() is None, "every answer then takes the long way"


def test_the_header_of_the_index_changes_with_every_commit_only(
    file: Path, writer: sqlite3.Connection
) -> None:
    writer.execute(ADVANCE)  # makes the index
    index = module._open_index(f"{file}-shm")
    headers = [index[: module.HEADER_SIZE]]
    for statements in (["BEGIN IMMEDIATE", ADVANCE, "ROLLBACK"], [ADVANCE], [ADVANCE]):
        for statement in statements:
            writer.execute(statement)
        headers.append(index[: module.HEADER_SIZE])
    assert headers[0] == headers[1], "a transaction that was rolled back"
    assert len({*headers}) == 3
