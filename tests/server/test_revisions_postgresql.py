"""The revision in PostgreSQL, as notifications report it."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from threading import Event
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from registry.models.revision_triggers import CHANNEL
from registry.server import revisions as module
from registry.server.revisions import PostgresqlRevisions
from tests.databases import postgresql_copy

ADVANCE = "UPDATE registry_version SET major = major WHERE false"  # fires the trigger
PATIENCE = 30  # seconds; it takes milliseconds


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgresql_copy() as url:
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


def known(revisions: PostgresqlRevisions) -> object:
    """Return the revision when it is known: on a busy machine a heartbeat can be late."""
    deadline = time.monotonic() + PATIENCE
    while (revision := revisions.current()) is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return revision


def differs(revisions: PostgresqlRevisions, before: object) -> bool:
    return revisions.current() not in (None, before)


def test_commit_is_notified(
    revisions: PostgresqlRevisions, writer: psycopg.Connection[Any]
) -> None:
    for _ in range(3):
        before = known(revisions)
        writer.execute(ADVANCE)
        wait_until(partial(differs, revisions, before))


def test_transaction_counts_from_its_commit(
    revisions: PostgresqlRevisions, writer: psycopg.Connection[Any]
) -> None:
    before = known(revisions)
    with writer.transaction(force_rollback=True):
        writer.execute(ADVANCE)
    time.sleep(2 * module.HEARTBEAT)
    assert known(revisions) == before


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
        [f"%{CHANNEL}%"],
    )
    wait_until(lambda: revisions.current() is None)
    retry.set()
    assert known(revisions) != before


@pytest.fixture
def silent(url: str, monkeypatch: pytest.MonkeyPatch) -> PostgresqlRevisions:
    """Return revisions after their only heartbeat, which lasts until they are known."""
    max_silence = module.MAX_SILENCE
    monkeypatch.setattr(module, "HEARTBEAT", 100 * max_silence)  # seconds
    monkeypatch.setattr(module, "MAX_SILENCE", PATIENCE)
    silent = PostgresqlRevisions(url)
    wait_until(silent.current)
    monkeypatch.setattr(module, "MAX_SILENCE", max_silence)
    return silent


def test_silence_makes_it_unknown(silent: PostgresqlRevisions) -> None:
    wait_until(lambda: silent.current() is None)


def test_heartbeats_of_other_nodes_do_not_count(
    url: str, silent: PostgresqlRevisions, revisions: PostgresqlRevisions
) -> None:
    with psycopg.connect(url, autocommit=True) as other:

        def beat_without_effect() -> bool:
            other.execute(module.BEAT, [str(other.info.backend_pid)])
            return silent.current() is None

        wait_until(beat_without_effect)
    assert silent.current() is None
