"""The revision of a SQLite file: known at once, whichever process commits."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from registry.server import revisions as module
from registry.server.revisions import Revision, SqliteRevisions
from tests.databases import FILE, copy_sqlite
from tests.server.tag_rows import insertion

TAGS = ("acme/board", "acme/board:cuda", "acme/base")
ADVANCE = "UPDATE registry_answerrevision SET number = number + 1"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    copy_sqlite(tmp_path / FILE)
    return tmp_path / FILE


@pytest.fixture
def writer(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for tag in TAGS:
            connection.execute(*insertion(tag, "?"))
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


def touch(writer: sqlite3.Connection, *tags: str) -> None:
    """Change rows of tags, which fires their trigger once for each."""
    for tag in tags:
        writer.execute("UPDATE registry_tag SET created = created WHERE text = ?", (tag,))


def current(revisions: SqliteRevisions) -> Revision:
    revision = revisions.current()
    assert revision
    return revision


def test_changed_tags_are_known_with_the_revision(file: Path, writer: sqlite3.Connection) -> None:
    revisions = SqliteRevisions(file)
    before = current(revisions)
    for tags in (TAGS[:1], TAGS[1:2], TAGS):
        last = current(revisions)
        touch(writer, *tags)
        assert revisions.changed_tags(last, current(revisions)) == frozenset(tags)
    assert revisions.changed_tags(before, current(revisions)) == frozenset(TAGS)


def test_unknown_revisions_have_no_tags(file: Path, writer: sqlite3.Connection) -> None:
    revisions = SqliteRevisions(file)
    last = current(revisions)
    touch(writer, TAGS[0])
    now = current(revisions)
    for before, after in [
        (now, now),
        (now, last),
        (last._replace(connection=0), now),
        (now._replace(number=now.number - module.MAX_STEPS - 1), now),
        (now, now._replace(number=now.number + 1)),
    ]:
        assert revisions.changed_tags(before, after) is None
    writer.execute("DROP TABLE registry_answerchange")
    assert revisions.changed_tags(last, now) is None


def test_change_without_tags_is_one_of_any_tag(file: Path, writer: sqlite3.Connection) -> None:
    revisions = SqliteRevisions(file)
    before = current(revisions)
    writer.execute(ADVANCE)
    touch(writer, TAGS[0])
    assert revisions.changed_tags(before, current(revisions)) is None


def test_many_changed_tags_are_any_tag() -> None:
    assert module._union([["a"], ["b", "a"]] * module.MAX_TAGS) == frozenset("ab")
    assert module._union([[str(number)] for number in range(module.MAX_TAGS + 1)]) is None


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
