"""Counts that give up rather than wait. That they do, tests/test_edge.py sees in a real server."""

import pytest
from django.db import OperationalError, connection

from registry.services.core import counters
from registry.services.core.counters import BusyTolerantCache

pytestmark = pytest.mark.django_db
PATIENCE = {"sqlite": "PRAGMA busy_timeout", "postgresql": "SHOW lock_timeout"}


def patience() -> object:
    """How long the connection waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(PATIENCE[connection.vendor])
        return cursor.fetchone()[0]


def test_what_is_kept_is_there() -> None:
    counts = BusyTolerantCache()
    assert counts.get("a", []) == []
    counts.set("a", [1.5], 60)
    assert counts.get("a", []) == [1.5]


def test_other_writes_wait_as_long_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    before, during = patience(), []
    monkeypatch.setattr(counters.cache, "set", lambda *_: during.append(patience()))
    BusyTolerantCache().set("a", [1.5], 60)
    assert patience() == before
    assert during == [{"sqlite": counters.BUSY_TIMEOUT}.get(connection.vendor, before)]


def test_database_that_is_locked_knows_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*_: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(counters.cache, "get", locked)
    assert BusyTolerantCache().get("a", []) == []


def test_other_faults_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(counters.cache, "get", broken)
    monkeypatch.setattr(counters, "is_transient_error", lambda error: "locked" in str(error))
    with pytest.raises(OperationalError):
        BusyTolerantCache().get("a")
