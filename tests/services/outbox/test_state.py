"""The state of the outbox, and the command that shows it without secrets."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.models import OutgoingMail
from registry.services.outbox import queueing, state as module
from registry.services.outbox.state import OutboxState, outbox_state

pytestmark = pytest.mark.django_db


def queue(**changes: object) -> None:
    queueing.queue("email_confirmation", EmailMessage("a", "secret", to=["bob@example.org"]))
    OutgoingMail.objects.filter(pk=OutgoingMail.objects.latest("pk").pk).update(**changes)


def test_empty_outbox_has_no_age() -> None:
    assert outbox_state() == OutboxState(waiting=0, retried=0, given_up=0, age=timedelta())


def test_outbox_counts_what_waits_and_what_was_given_up() -> None:
    now = timezone.now()
    queue()
    queue(created=now - timedelta(minutes=5), attempts=2)
    queue(created=now - timedelta(days=9), attempts=3, failed=now, content="")
    with CaptureQueriesContext(connection) as captured:
        state = outbox_state()
    assert (state.waiting, state.retried, state.given_up) == (2, 1, 1)
    assert 300 <= state.age.total_seconds() < 360, "the one given up does not wait"
    assert len(captured) == 1


def test_command_names_failed_mail_without_recipients() -> None:
    queue()
    queue(attempts=1, failed=timezone.now(), content="", reason="SMTPDataError 554")
    out = StringIO()
    call_command("outbox", stdout=out)
    failed, totals = out.getvalue().splitlines()
    assert "email_confirmation" in failed
    assert failed.endswith("SMTPDataError 554")
    assert totals.startswith("1 waiting, ")
    assert totals.endswith("0 of them failed before; 1 given up.")
    assert "bob" not in out.getvalue()


@pytest.mark.parametrize(("limit", "is_said"), [(2, False), (1, True)])
def test_command_counts_the_failures_that_it_does_not_list(
    monkeypatch: pytest.MonkeyPatch, limit: int, is_said: bool
) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", limit)
    queue(attempts=1, failed=timezone.now(), content="", reason="SMTPDataError 554")
    queue(attempts=1, reason="again")
    out = StringIO()
    call_command("outbox", stdout=out)
    lines = out.getvalue().splitlines()
    assert len(lines) == 3
    assert ("and 1 more that failed, the newest" in lines) is is_said
