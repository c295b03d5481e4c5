"""The cache that gives up instead of waiting; tests/test_edge.py tests it in a real server."""

import pytest
from django.db import OperationalError, connection

from registry.services.core import counters
from registry.services.core.counters import BusyTolerantCache

pytestmark = pytest.mark.django_db
TIMEOUT_QUERIES = {"sqlite": "PRAGMA busy_timeout", "postgresql": "SHOW lock_timeout"}


def lock_timeout() -> object:
    """Return the time that the connection waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(TIMEOUT_QUERIES[connection.vendor])
        return cursor.fetchone()[0]


def test_stored_value_is_returned() -> None:
    counts = BusyTolerantCache()
    assert counts.get("a", []) == []
    counts.set("a", [1.5], 60)
    assert counts.get("a", []) == [1.5]


def test_timeout_of_other_writes_is_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    before, during = lock_timeout(), []
    monkeypatch.setattr(counters.cache, "set", lambda *_: during.append(lock_timeout()))
    BusyTolerantCache().set("a", [1.5], 60)
    assert lock_timeout() == before
    assert during == [{"sqlite": counters.BUSY_TIMEOUT}.get(connection.vendor, before)]


def test_locked_database_returns_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_locked(*_: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(counters.cache, "get", raise_locked)
    assert BusyTolerantCache().get("a", []) == []


def test_other_errors_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_broken(*_: object) -> None:
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(counters.cache, "get", raise_broken)
    monkeypatch.setattr(counters, "is_transient_error", lambda error: "locked" in str(error))
    with pytest.raises(OperationalError):
        BusyTolerantCache().get("a")
