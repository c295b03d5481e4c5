"""Limits on what sessions store."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.models import Session, User
from registry.services.accounts import sessions
from tests.database_faults import failing_writes, full, locked, read_only

pytestmark = pytest.mark.django_db


def store(
    number: int, *, size: int = 1, network: str = "", account: User | None = None, age: int = 0
) -> Session:
    """Store a session that expires in an hour less its age in minutes."""
    return Session.objects.create(
        session_key=f"{number:032}",
        session_data="",
        expire_date=timezone.now() + timedelta(minutes=60 - age),
        size=size,
        network=network,
        account=account,
    )


def test_visitors_have_room_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_VISITORS_SIZE", 100)
    store(1, size=60, network="192.0.2.1")
    sessions.refuse_full("192.0.2.2", 40)
    with pytest.raises(Refused, match="Too many forms wait") as refused:
        sessions.refuse_full("192.0.2.2", 41)
    assert refused.value.code is Code.RATE_LIMITED


def test_one_network_cannot_use_all_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_NETWORK_SIZE", 100)
    store(1, size=60, network="192.0.2.1")
    sessions.refuse_full("192.0.2.2", 100)
    with pytest.raises(Refused, match="Your network has sent too many forms"):
        sessions.refuse_full("192.0.2.1", 41)


def test_sessions_of_accounts_and_expired_ones_take_no_room(
    monkeypatch: pytest.MonkeyPatch, alice: User
) -> None:
    monkeypatch.setattr(sessions, "MAX_VISITORS_SIZE", 100)
    store(1, size=100, account=alice)
    store(2, size=100, age=61)
    sessions.refuse_full("192.0.2.1", 100)


def test_expired_sessions_are_deleted_a_bounded_number_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sessions, "CLEARED_AT_ONCE", 2)
    for number, age in enumerate((0, 61, 62, 63)):
        store(number, age=age)
    sessions.delete_expired()
    assert set(Session.objects.values_list("pk", flat=True)) == {f"{0:032}", f"{1:032}"}
    sessions.delete_expired()
    assert Session.objects.count() == 1


def test_expired_counts_of_the_limiter_are_deleted() -> None:
    for number in range(3):
        cache.set(f"old-{number}", 1, timeout=-5)
    cache.set("new", 1, timeout=60)
    sessions.delete_expired()
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM registry_cache")
        keys = [key for (key,) in cursor.fetchall()]
    assert [key for key in keys if "old-" in key] == []
    assert cache.get("new") == 1


def test_an_account_keeps_its_newest_sessions(alice: User) -> None:
    for number in range(sessions.MAX_SESSIONS + 2):
        store(number, account=alice, age=number)
    other = store(99)
    sessions.end_surplus(alice.pk)
    kept = Session.objects.filter(account=alice)
    assert kept.count() == sessions.MAX_SESSIONS
    assert not kept.filter(session_key=f"{sessions.MAX_SESSIONS:032}").exists()
    assert Session.objects.filter(pk=other.pk).exists()


@pytest.mark.parametrize("fault", [locked, full, read_only])
def test_a_database_that_cannot_write_delays_clearing(fault: Callable[[], DatabaseError]) -> None:
    expired = store(1, age=61)
    with failing_writes(fault):
        sessions.delete_expired()
    assert Session.objects.filter(pk=expired.pk).exists()
    sessions.delete_expired()
    assert not Session.objects.filter(pk=expired.pk).exists()
