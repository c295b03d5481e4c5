"""Leases: one holder at a time, whatever its process does, and whatever the clock."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.domain.errors import Refused
from registry.models import Duty
from registry.services.work import leases
from registry.services.work.gauges import render_gauges
from registry.services.work.leases import LENGTH, Lease

pytestmark = pytest.mark.django_db


def test_one_process_at_a_time_has_a_lease() -> None:
    first, second = Lease("mail", "a"), Lease("mail", "b")
    assert first.take()
    assert not second.take()
    assert first.take(), "it is its own"
    assert Lease("backup", "b").take(), "another duty"
    first.release()
    assert second.take()


def test_release_of_a_lost_lease_leaves_the_new_holder() -> None:
    first, second = Lease("mail", "a"), Lease("mail", "b")
    first.take()
    Duty.objects.update(held_until=timezone.now() - timedelta(seconds=1))
    assert second.take()
    first.release()
    assert not first.take()


@pytest.mark.parametrize(
    ("ends_in", "is_free"),
    [(-1, True), (30, False), (59, False), (3 * LENGTH.total_seconds(), True)],
)
def test_lease_ends_by_the_clock_and_none_lasts_longer_than_a_minute(
    ends_in: float, is_free: bool
) -> None:
    """A lease that ends later was taken before the clock went back."""
    Lease("mail", "a").take()
    Duty.objects.update(held_until=timezone.now() + timedelta(seconds=ends_in))
    assert Lease("mail", "b").take() is is_free


def test_new_lease_lasts_a_minute() -> None:
    Lease("mail", "a").take()
    end = Duty.objects.get().held_until
    assert end is not None
    assert abs((end - timezone.now() - LENGTH).total_seconds()) < 10


def test_renewal_is_a_write_only_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    lease = Lease("mail", "a")
    lease.take()
    with CaptureQueriesContext(connection) as captured:
        assert all(lease.renew() for _ in range(100))
    assert len(captured) == 0
    monkeypatch.setattr(leases, "RENEWAL", 0)
    Duty.objects.update(holder="b")
    assert not lease.renew(), "another process has it"


def test_holders_of_one_process_number_differ() -> None:
    assert leases.new_holder() != leases.new_holder()
    assert len(leases.new_holder()) <= 120


def test_success_forgets_failures_but_not_when_and_why() -> None:
    Lease("mail", "a").take()
    assert [leases.record_failure("mail", "x" * 300) for _ in range(2)] == [1, 2]
    leases.record_success("mail")
    duty = Duty.objects.get()
    assert (duty.failures, duty.reason) == (0, "x" * 255)
    assert duty.failed is not None
    assert duty.succeeded is not None


def test_duty_that_is_forgotten_is_not_in_the_metrics() -> None:
    for name in ("backup", "verify"):
        Lease(name, "a").take()
        leases.record_success(name)
        Lease(name, "a").release()
    assert leases.forget(["backup"]) == 1
    assert leases.forget(["backup"]) == 0
    metrics = render_gauges()
    assert 'duty="verify"' in metrics
    assert 'duty="backup"' not in metrics


def test_duty_that_somebody_does_is_not_forgotten() -> None:
    Lease("mirror-events", "a").take()
    Duty.objects.create(name="mirror")
    with pytest.raises(Refused, match=r"mirror-events runs now, by the worker a\."):
        leases.forget(["mirror", "mirror-events"])
    assert Duty.objects.count() == 2


def test_duty_of_a_killed_worker_can_be_forgotten() -> None:
    Lease("backup", "a").take()
    Duty.objects.update(held_until=timezone.now() - timedelta(seconds=1))
    assert leases.forget(["backup"]) == 1
