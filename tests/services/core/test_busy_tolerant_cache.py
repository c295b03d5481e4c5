"""The cache that gives up instead of waiting; tests/test_edge.py tests it in a real server."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection

from registry.services.core import busy_tolerant_cache
from registry.services.core.busy_tolerant_cache import read_counts, store_counts
from tests import database_faults

pytestmark = pytest.mark.django_db
TIMEOUT_QUERIES = {"sqlite": "PRAGMA busy_timeout", "postgresql": "SHOW lock_timeout"}


def lock_timeout() -> object:
    """Return the time that the connection waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(TIMEOUT_QUERIES[connection.vendor])
        return cursor.fetchone()[0]


def test_stored_value_is_returned() -> None:
    assert read_counts("a") == []
    store_counts("a", [1.5], 60)
    assert read_counts("a") == [1.5]


def test_timeout_of_other_writes_is_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    before, during = lock_timeout(), []
    monkeypatch.setattr(busy_tolerant_cache.cache, "set", lambda *_: during.append(lock_timeout()))
    store_counts("a", [1.5], 60)
    assert lock_timeout() == before
    assert during == [{"sqlite": busy_tolerant_cache.BUSY_TIMEOUT}.get(connection.vendor, before)]


@pytest.mark.parametrize(
    "fault", [database_faults.locked, database_faults.full, database_faults.read_only]
)
def test_database_that_cannot_write_returns_the_default(
    fault: Callable[[], DatabaseError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise fault()

    monkeypatch.setattr(busy_tolerant_cache.cache, "get", fail)
    monkeypatch.setattr(busy_tolerant_cache.cache, "set", fail)
    store_counts("a", [1.5], 60)
    assert read_counts("a") == []


def test_other_errors_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise database_faults.broken()

    monkeypatch.setattr(busy_tolerant_cache.cache, "get", fail)
    with pytest.raises(DatabaseError):
        read_counts("a")
