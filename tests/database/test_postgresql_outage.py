"""The record of whether PostgreSQL accepts connections."""

import psycopg
import pytest

from registry.database.postgresql import outage
from registry.database.postgresql.outage import Outage, TrackedConnection


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the monotonic time, which tests can set."""
    now = [1000.0]
    monkeypatch.setattr(outage.time, "monotonic", lambda: now[0])
    return now


def test_requests_may_connect_without_an_outage(clock: list[float]) -> None:
    state = Outage()
    assert [state.may_connect() for _ in range(3)] == [True, True, True]


def test_one_request_a_second_may_connect_during_an_outage(clock: list[float]) -> None:
    state = Outage()
    state.is_on = True
    assert [state.may_connect() for _ in range(3)] == [True, False, False]
    clock[0] += outage.RETRY_INTERVAL
    assert [state.may_connect() for _ in range(3)] == [True, False, False]
    state.is_on = False
    assert [state.may_connect() for _ in range(3)] == [True, True, True]


def test_failed_connection_begins_an_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    state = Outage()
    monkeypatch.setattr(outage, "outage", state)
    with pytest.raises(psycopg.OperationalError):
        TrackedConnection.connect("host=/nowhere dbname=registry")
    assert state.is_on
    monkeypatch.setattr(psycopg.Connection, "connect", classmethod(lambda cls, *_, **__: cls))
    TrackedConnection.connect("host=/nowhere dbname=registry")
    assert not state.is_on
