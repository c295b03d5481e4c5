"""The revision in PostgreSQL, as notifications report it."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from threading import Event
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from registry.server import revisions as module
from registry.server.revisions import PostgresqlRevisions, Revision
from tests.databases import postgresql_copy
from tests.patience import PATIENCE
from tests.server.tag_rows import insertion

TAGS = ("acme/board", "acme/board:cuda")
TOUCH = "UPDATE registry_tag SET created = created WHERE text = ANY(%s)"  # fires the trigger


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgresql_copy() as url:
        with psycopg.connect(url) as connection:
            connection.execute("SET session_replication_role = replica")  # asks for no namespace
            for tag in TAGS:
                connection.execute(*insertion(tag, "%s"))
        yield url


@pytest.fixture
def writer(url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def revisions(url: str) -> PostgresqlRevisions:
    return PostgresqlRevisions(url)


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def known(revisions: PostgresqlRevisions) -> Revision:
    """Return the revision when it is known: on a busy machine a heartbeat can be late."""
    deadline = time.monotonic() + PATIENCE
    while (revision := revisions.current()) is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return revision


def differs(revisions: PostgresqlRevisions, before: Revision) -> bool:
    return revisions.current() not in (None, before)


def test_commit_is_notified(
    revisions: PostgresqlRevisions, writer: psycopg.Connection[Any]
) -> None:
    for _ in range(3):
        before = known(revisions)
        writer.execute(TOUCH, [[TAGS[0]]])
        wait_until(partial(differs, revisions, before))


def test_transaction_counts_from_its_commit(
    revisions: PostgresqlRevisions, writer: psycopg.Connection[Any]
) -> None:
    before = known(revisions).number
    with writer.transaction(force_rollback=True):
        writer.execute(TOUCH, [[TAGS[0]]])
    time.sleep(2 * module.HEARTBEAT)
    assert known(revisions).number == before  # on a busy machine, of another connection


def test_changed_tags_are_known_with_the_revision(
    revisions: PostgresqlRevisions, writer: psycopg.Connection[Any]
) -> None:
    before = known(revisions)
    for tags in ([TAGS[0]], [TAGS[1]], [*TAGS]):
        last = known(revisions)
        writer.execute(TOUCH, [tags])
        wait_until(partial(differs, revisions, last))
        assert revisions.changed_tags(last, known(revisions)) == frozenset(tags)
    assert revisions.changed_tags(before, known(revisions)) == frozenset(TAGS)


def test_unknown_revisions_have_no_tags(
    revisions: PostgresqlRevisions, writer: psycopg.Connection[Any]
) -> None:
    last = known(revisions)
    writer.execute(TOUCH, [[TAGS[0]]])
    wait_until(partial(differs, revisions, last))
    now = known(revisions)
    assert revisions.changed_tags(last, now) is not None
    for before, after in [
        (now, now),
        (now, last),
        (last._replace(connection=0), now),
        (now._replace(number=now.number - module.MAX_STEPS - 1), now),
        (now, now._replace(number=now.number + 1)),
    ]:
        assert revisions.changed_tags(before, after) is None


def test_change_without_tags_is_one_of_any_tag(
    revisions: PostgresqlRevisions, writer: psycopg.Connection[Any]
) -> None:
    before = known(revisions)
    with writer.transaction():
        writer.execute("UPDATE registry_answerrevision SET number = number + 1")
        writer.execute(TOUCH, [[TAGS[0]]])
    wait_until(partial(differs, revisions, before))
    assert revisions.changed_tags(before, known(revisions)) is None


def test_lost_connection_makes_it_unknown_and_a_new_one_starts_afresh(
    revisions: PostgresqlRevisions,
    writer: psycopg.Connection[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    retry = Event()
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: retry.wait(PATIENCE))
    monkeypatch.setattr(module, "time", clock)
    before = known(revisions)
    writer.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE %s"
        " AND pid <> pg_backend_pid()",
        ["%registry_answerchange%"],
    )
    wait_until(lambda: revisions.current() is None)
    retry.set()
    assert known(revisions) != before


def test_silence_makes_it_unknown(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    max_silence = module.MAX_SILENCE
    monkeypatch.setattr(module, "HEARTBEAT", 100 * max_silence)  # seconds
    monkeypatch.setattr(module, "MAX_SILENCE", PATIENCE)
    silent = PostgresqlRevisions(url)
    wait_until(silent.current)  # after its only heartbeat
    monkeypatch.setattr(module, "MAX_SILENCE", max_silence)
    wait_until(lambda: silent.current() is None)


@pytest.fixture
def deaf(url: str, monkeypatch: pytest.MonkeyPatch) -> PostgresqlRevisions:
    """Return revisions that notifications do not reach, as behind a pooler or on a standby."""
    monkeypatch.setattr(module, "LOOK_AROUND", "SELECT false, 0")
    return PostgresqlRevisions(url)


def test_changes_are_seen_where_no_notification_arrives(
    deaf: PostgresqlRevisions, writer: psycopg.Connection[Any]
) -> None:
    before = known(deaf)
    writer.execute(TOUCH, [[TAGS[0]]])
    wait_until(partial(differs, deaf, before))
    assert deaf.changed_tags(before, known(deaf)) == frozenset(TAGS[:1])


def test_another_server_behind_a_pooler_starts_afresh(
    deaf: PostgresqlRevisions, writer: psycopg.Connection[Any]
) -> None:
    before = known(deaf)
    writer.execute("UPDATE registry_answerrevision SET number = number - 1")
    wait_until(partial(differs, deaf, before))
    now = known(deaf)
    assert now.connection != before.connection
    assert deaf.changed_tags(before, now) is None
