"""The nightly clean-up deletes what has expired, and nothing else."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from registry.http.sessions import SessionStore
from registry.models import OutgoingMail, Session, UsedIdentity
from registry.services.operations import clean_up
from registry.services.outbox import queueing

pytestmark = pytest.mark.django_db


def test_expired_rows_go_and_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean_up, "BATCH", 2)
    monkeypatch.setattr(clean_up, "PAUSE", 0)
    past = timezone.now() - timedelta(days=40)
    for number in range(5):
        SessionStore().save()
        cache.set(f"old-{number}", 1, -1)
    Session.objects.exclude(pk=Session.objects.order_by("pk")[0].pk).update(expire_date=past)
    cache.set("new", 1, 60)
    UsedIdentity.objects.create(pk="0" * 64, expires=past)
    UsedIdentity.objects.create(pk="1" * 64, expires=timezone.now() + timedelta(minutes=1))
    for _ in range(2):
        queueing.queue_content("password_reset_request", {})
    failed = OutgoingMail.objects.order_by("pk")[0]
    OutgoingMail.objects.filter(pk=failed.pk).update(failed=past, content="")
    counts = clean_up.delete_expired()
    assert counts["sessions"] == 4
    assert counts["used identities and their tokens"] == 1
    assert counts["failed mails"] == 1
    assert (Session.objects.count(), UsedIdentity.objects.count()) == (1, 1)
    assert OutgoingMail.objects.count() == 1
    assert cache.get("new") == 1
    assert set(clean_up.delete_expired().values()) == {0}


def test_command_says_what_it_deleted_unless_it_is_to_be_quiet() -> None:
    out = StringIO()
    call_command("clean_up", stdout=out)
    assert "old deliveries to webhooks.\n" in out.getvalue()
    call_command("clean_up", verbosity=0, stdout=out)
    assert out.getvalue().count("\n") == 1
