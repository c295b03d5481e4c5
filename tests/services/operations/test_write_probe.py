"""The write that shows whether the database accepts writes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DatabaseError, connection

from registry.domain.errors import Code, Refused
from registry.services.core import database_errors, transactions
from registry.services.operations import health, write_probe
from tests import database_faults
from tests.database_faults import failing_writes

pytestmark = pytest.mark.django_db

FULL = "the storage is full: writes fail, reads work"
READ_ONLY = "the database is read-only: writes fail, reads work"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the monotonic time, which tests can set; forget earlier probes and failures."""
    now = [1000.0]
    monkeypatch.setattr(write_probe.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(write_probe, "_last_probe", None)
    monkeypatch.setattr(database_errors, "_failure", None)
    return now


def test_database_that_accepts_writes_is_ready() -> None:
    assert health.problems() == []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT length(value) FROM registry_cache WHERE cache_key = %s", [write_probe.KEY]
        )
        assert cursor.fetchall() == [(write_probe.SIZE,)]


def test_probes_replace_one_row(clock: list[float]) -> None:
    for _ in range(3):
        clock[0] += write_probe.INTERVAL
        assert write_probe.write_failure() is None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM registry_cache WHERE cache_key = %s", [write_probe.KEY]
        )
        assert cursor.fetchone() == (1,)


@pytest.mark.parametrize(
    ("fault", "problem"),
    [(database_faults.full, FULL), (database_faults.read_only, READ_ONLY)],
)
def test_database_that_rejects_writes_is_not_ready(
    fault: Callable[[], DatabaseError], problem: str, clock: list[float]
) -> None:
    with failing_writes(fault):
        assert health.problems() == [problem]
    assert health.problems() == [problem], "what the last write met"
    clock[0] += database_errors.FAILURE_LIFETIME + 1
    assert health.problems() == []


@pytest.mark.parametrize(
    ("fault", "code"),
    [(database_faults.full, Code.STORAGE_FULL), (database_faults.read_only, Code.READ_ONLY)],
)
def test_what_cannot_be_counted_is_refused_while_writes_fail(
    fault: Callable[[], DatabaseError], code: Code
) -> None:
    write_probe.refuse_failure()
    database_errors.report(fault())
    with pytest.raises(Refused) as refused:
        write_probe.refuse_failure()
    assert refused.value.code is code


def test_failed_write_of_another_request_is_reported() -> None:
    """Small writes may still fit where large ones do not."""
    database_errors.report(database_faults.full())
    assert health.problems() == [FULL]
    with transactions.write_lock():
        pass
    assert health.problems() == []


def test_defects_are_not_hidden() -> None:
    with failing_writes(database_faults.broken), pytest.raises(DatabaseError):
        write_probe.write_failure()


def test_one_probe_a_second(clock: list[float]) -> None:
    assert write_probe.write_failure() is None
    with failing_writes(database_faults.full):
        clock[0] += write_probe.INTERVAL / 2
        assert write_probe.write_failure() is None
        clock[0] += write_probe.INTERVAL / 2
        assert write_probe.write_failure() is Code.STORAGE_FULL


def test_held_lock_is_no_failure_and_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def probe() -> list[str]:
        try:
            return health.problems()
        finally:
            connection.close()

    write_probe.write_failure()
    monkeypatch.setattr(write_probe, "_last_probe", None)
    with transactions.write_lock(), ThreadPoolExecutor(1) as other:
        assert other.submit(probe).result(timeout=10) == [], "SQLite's busy_timeout is 20 s"


def test_held_lock_on_a_full_disk_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def probe() -> Code | None:
        try:
            return write_probe.write_failure()
        finally:
            connection.close()

    monkeypatch.setattr(database_errors, "is_disk_full", lambda: True)
    expected = Code.STORAGE_FULL if connection.vendor == "sqlite" else None
    with transactions.write_lock(), ThreadPoolExecutor(1) as other:
        assert other.submit(probe).result(timeout=10) is expected
