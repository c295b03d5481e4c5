"""Gauges for Prometheus: what waits, what was given up, and when each duty last ended how."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from registry.models import AnswerRevision, Duty, Namespace, OutgoingMail
from registry.services.core import metrics
from registry.services.outbox import queueing, state
from registry.services.work import cache_purges, gauges
from tests.publishing import publish

pytestmark = pytest.mark.django_db


def values() -> dict[str, float]:
    """Return the value of each series."""
    return {
        f"{sample.name}{''.join(sample.labels.values())}": sample.value
        for family in text_string_to_metric_families(gauges.render_gauges())
        for sample in family.samples
    }


def test_empty_outbox_is_zero_and_a_duty_never_done_is_absent() -> None:
    assert values() == dict.fromkeys(
        [f"registry_outbox_{name}" for name in ("mails", "retried_mails")]
        + ["registry_outbox_given_up_mails", "registry_outbox_age_seconds"],
        0,
    )


def test_gauges_are_those_of_the_database() -> None:
    now = timezone.now()
    for _ in range(3):
        queueing.queue_content("password_reset_request", {"email": "bob@example.org"})
    first, second, _ = OutgoingMail.objects.order_by("pk")
    OutgoingMail.objects.filter(pk=first.pk).update(failed=now, content="", attempts=1)
    OutgoingMail.objects.filter(pk=second.pk).update(created=now - timedelta(hours=1), attempts=4)
    Duty.objects.create(name="backup", succeeded=now, failures=0)
    Duty.objects.create(name="verify", succeeded=now, failed=now, failures=2)
    with CaptureQueriesContext(connection) as captured:
        rendered = values()
    assert len(captured) == 2
    age = rendered.pop("registry_outbox_age_seconds")
    assert 3600 <= age < 3700
    assert rendered == {
        "registry_outbox_mails": 2,
        "registry_outbox_retried_mails": 1,
        "registry_outbox_given_up_mails": 1,
        "registry_duty_failuresbackup": 0,
        "registry_duty_failuresverify": 2,
        "registry_duty_succeeded_timestamp_secondsbackup": pytest.approx(now.timestamp()),
        "registry_duty_succeeded_timestamp_secondsverify": pytest.approx(now.timestamp()),
        "registry_duty_failed_timestamp_secondsverify": pytest.approx(now.timestamp()),
    }


def test_changes_that_a_cache_has_not_been_told_are_counted(
    monkeypatch: pytest.MonkeyPatch, acme: Namespace
) -> None:
    monkeypatch.setattr(settings, "PURGE_URLS", ["http://192.0.2.1:6081/", "http://192.0.2.2/"])
    first, second = [purge.name for purge in cache_purges.cache_purges()]
    now = timezone.now()
    Duty.objects.create(name=first, position=AnswerRevision.objects.get().number, succeeded=now)
    Duty.objects.create(name="purge removed 0", failures=3, failed=now)
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    with CaptureQueriesContext(connection) as captured:
        rendered = values()
    assert len(captured) == 4
    assert rendered[f"registry_purge_waiting{first}"] > 0
    assert rendered[f"registry_purge_waiting{second}"] == 1
    assert not [name for name in rendered if "removed" in name]


def test_metrics_go_on_without_the_database(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OperationalError from psycopg_error

    psycopg_error = type("Error", (Exception,), {"sqlstate": None})()
    monkeypatch.setattr(metrics, "render_metrics", lambda: "registry_requests_total 1\n")
    monkeypatch.setattr(state, "outbox_state", fail)
    assert client.get("/metrics").content == b"registry_requests_total 1\n"


def test_metrics_that_are_off_need_no_database(client: Client) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert client.get("/metrics").status_code == 404
    assert len(captured) == 0
