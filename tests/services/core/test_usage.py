"""Counting in memory, and writing the counts; tests/test_usage.py does both in real servers."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from importlib import import_module

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from registry.models import DailyUsage, Event, RecentUsage, Tag, Version
from registry.services.core import database_errors, stored_usage, usage
from tests import database_faults

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 22)


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch) -> Callable[[date], None]:
    """Return a function that sets the day; it is the 22nd of November 2026."""

    def set_day(today: date) -> None:
        for module in (usage, stored_usage):
            monkeypatch.setattr(module, "today", lambda: today)

    set_day(DAY)
    return set_day


def daily() -> dict[tuple[str, date], int]:
    """Return the stored counts by tag and day."""
    rows = DailyUsage.objects.values_list("tag__text", "day", "resolves")
    return {(tag, day): resolves for tag, day, resolves in rows}


def recent() -> dict[str, int]:
    """Return the sums of the last 30 days by tag."""
    return dict(RecentUsage.objects.values_list("text", "resolves"))


def store(tag: str, ago: int, resolves: int = 1) -> None:
    """Store a count of an earlier day."""
    pk = Tag.objects.get(text=tag).pk
    DailyUsage.objects.create(tag_id=pk, day=DAY - timedelta(days=ago), resolves=resolves)


def test_counts_are_added_per_tag_and_day(day: Callable[[date], None]) -> None:
    usage.count("arm/soc")
    usage.count("arm/soc", 2)
    usage.count("nvidia/jetson-nano")
    usage.flush()
    usage.count("arm/soc", 4)
    day(DAY + timedelta(days=1))
    usage.count("arm/soc", 8)
    usage.flush()
    assert daily() == {
        ("arm/soc", DAY): 7,
        ("nvidia/jetson-nano", DAY): 1,
        ("arm/soc", DAY + timedelta(days=1)): 8,
    }
    assert recent() == {"arm/soc": 15, "nvidia/jetson-nano": 1}


def test_days_are_those_of_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    before = datetime.now(UTC).date()
    assert usage.today() in {before, datetime.now(UTC).date()}


def test_counts_of_a_standby_wait_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    usage.count("arm/soc")
    with database_faults.failing_writes(database_faults.read_only):
        usage.flush_unless(lambda: True)
    assert not caplog.records, "it would say so every ten seconds"
    assert daily() == {}
    usage.flush_unless(lambda: False)
    assert daily() == {("arm/soc", DAY): 1}, "once it is promoted"


def test_counts_wait_while_nobody_knows_whether_it_is_a_standby() -> None:
    def is_paused() -> bool:
        raise database_faults.unreachable()

    usage.count("arm/soc")
    usage.flush_unless(is_paused)
    assert daily() == {}
    usage.flush()
    assert daily() == {("arm/soc", DAY): 1}


def test_threads_lose_no_counts() -> None:
    def count() -> None:
        for _ in range(2_000):
            usage.count("arm/soc")

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    usage.flush()
    assert recent() == {"arm/soc": 8_000}


def test_only_a_server_starts_the_thread() -> None:
    import_module("registry.wsgi")
    assert "usage" not in {thread.name for thread in threading.enumerate()}


def test_counting_runs_no_query(django_assert_num_queries: Callable[[int], object]) -> None:
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        usage.count("arm/soc")


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "MAX_COUNTS", 2)
    for tag in ("arm/soc", "arm/soc:aot", "nvidia/jetson-nano", "arm/soc"):
        usage.count(tag)
    usage.flush()
    assert recent() == {"arm/soc": 2, "arm/soc:aot": 1}
    usage.count("nvidia/jetson-nano")
    usage.flush()
    assert recent() == {"arm/soc": 2, "arm/soc:aot": 1, "nvidia/jetson-nano": 1}


def test_unknown_tags_are_dropped() -> None:
    usage.count("acme/nothing")
    usage.flush()
    usage.count("arm/soc")
    usage.flush()
    assert recent() == {"arm/soc": 1}


@pytest.mark.parametrize(
    "fault", [database_faults.locked, database_faults.full, database_faults.read_only]
)
def test_counts_wait_while_the_database_cannot_write(fault: Callable[[], DatabaseError]) -> None:
    usage.count("arm/soc")
    with database_faults.failing_writes(fault):
        usage.flush()
        usage.count("arm/soc", 2)
        usage.flush()
    assert daily() == {}
    usage.flush()
    assert daily() == {("arm/soc", DAY): 3}


def test_counts_wait_while_the_database_is_away() -> None:
    usage.count("arm/soc")
    with database_faults.failing_statements(database_faults.unreachable):
        usage.flush()
    usage.flush()
    assert recent() == {"arm/soc": 1}


def test_counts_survive_a_defect_of_the_database() -> None:
    usage.count("arm/soc")
    with (
        database_faults.failing_writes(database_faults.broken),
        pytest.raises(DatabaseError),
    ):
        usage.flush()
    usage.flush()
    assert recent() == {"arm/soc": 1}


def test_waiting_counts_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "MAX_COUNTS", 2)
    usage.count("arm/soc")
    usage.count("arm/soc:aot")
    with database_faults.failing_writes(database_faults.locked):
        usage.flush()
        usage.count("nvidia/jetson-nano")
        usage.flush()
    usage.flush()
    assert recent() == {"arm/soc": 1, "arm/soc:aot": 1}


def test_batches_that_are_written_are_not_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "BATCH", 1)
    add_counts, stored = stored_usage.add_counts, []

    def add_first_only(counts: usage.Counts) -> bool:
        stored.append(counts)
        return len(stored) == 1 and add_counts(counts)

    for tag in ("arm/soc", "arm/soc:aot"):
        usage.count(tag)
    with monkeypatch.context() as patch:
        patch.setattr(stored_usage, "add_counts", add_first_only)
        usage.flush()
    assert recent() == {"arm/soc": 1}
    usage.flush()
    assert recent() == {"arm/soc": 1, "arm/soc:aot": 1}


def test_a_flush_pauses_between_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(usage, "BATCH", 2)
    monkeypatch.setattr(time, "sleep", pauses.append)
    for tag in Tag.objects.values_list("text", flat=True)[:5]:
        usage.count(tag)
    usage.flush()
    assert pauses == [usage.PAUSE] * 2
    assert len(recent()) == 5


def test_a_flush_takes_as_many_queries_for_one_tag_as_for_many() -> None:
    usage.flush()  # the upkeep
    usage.count("arm/soc")
    with CaptureQueriesContext(connection) as one:
        usage.flush()
    for tag in Tag.objects.values_list("text", flat=True)[:100]:
        usage.count(tag)
    with CaptureQueriesContext(connection) as many:
        usage.flush()
    lock = 1 if connection.vendor == "postgresql" else 0
    savepoint = 2  # only in tests: begun and released
    assert len(one) == len(many) == 4 + lock + savepoint
    assert RecentUsage.objects.count() >= 100


def test_a_flush_without_counts_runs_no_query(
    django_assert_num_queries: Callable[[int], object],
) -> None:
    usage.flush()
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        usage.flush()


def test_a_flush_is_no_event_and_no_version() -> None:
    before = Event.objects.count(), Version.objects.count()
    usage.count("arm/soc")
    usage.flush()
    assert (Event.objects.count(), Version.objects.count()) == before


def test_failed_flush_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    usage.count("arm/soc")
    with database_faults.failing_writes(database_faults.full):
        usage.flush()
    failure = database_errors.last_failure()
    assert failure
    assert failure.value == "STORAGE_FULL"


def test_sums_cover_thirty_days_with_today() -> None:
    store("arm/soc", ago=30, resolves=100)
    store("arm/soc", ago=29, resolves=10)
    usage.count("arm/soc")
    usage.flush()
    assert recent() == {"arm/soc": 11}


def test_upkeep_sums_up_again_on_a_new_day(day: Callable[[date], None]) -> None:
    store("arm/soc", ago=29, resolves=10)
    for tag in ("arm/soc", "arm/soc:aot"):
        usage.count(tag)
    usage.flush()
    assert recent() == {"arm/soc": 11, "arm/soc:aot": 1}
    day(DAY + timedelta(days=1))
    usage.flush()
    assert recent() == {"arm/soc": 1, "arm/soc:aot": 1}
    day(DAY + timedelta(days=30))
    usage.flush()
    assert recent() == {}
    assert len(daily()) == 3


def test_upkeep_deletes_days_after_400() -> None:
    store("arm/soc", ago=400)
    store("arm/soc", ago=401)
    store("arm/soc:aot", ago=500)
    usage.flush()
    assert daily() == {("arm/soc", DAY - timedelta(days=400)): 1}


def test_upkeep_goes_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_usage, "BATCH", 2)
    for ago in range(401, 406):
        store("arm/soc", ago=ago)
    left = []
    for _ in range(4):
        usage.flush()
        left.append(len(daily()))
    assert left == [3, 1, 0, 0]


def test_upkeep_without_work_does_not_write() -> None:
    with database_faults.failing_writes(database_faults.read_only):
        assert stored_usage.do_upkeep(DAY)


def test_upkeep_is_repeated_until_the_database_can_write() -> None:
    store("arm/soc", ago=401)
    with database_faults.failing_writes(database_faults.locked):
        usage.flush()
    assert len(daily()) == 1
    usage.flush()
    assert daily() == {}


def test_adding_counts_says_whether_they_are_stored() -> None:
    counts = {("arm/soc", DAY): 1}
    with database_faults.failing_writes(database_faults.locked):
        assert not stored_usage.add_counts(counts)
    assert stored_usage.add_counts(counts)
