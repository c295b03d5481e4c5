"""Sending mail: what is refused, put off or given up, and what that does to others."""

import logging
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.db import DataError, OperationalError
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.models import OutgoingMail
from registry.services.outbox import delivery, queueing
from tests.mail_server import MailServer

pytestmark = pytest.mark.django_db


def queue(to: str = "bob@example.org", subject: str = "Confirm") -> OutgoingMail:
    queueing.queue("email_confirmation", EmailMessage(subject, "a link", to=[to]))
    return OutgoingMail.objects.latest("pk")


def deliver(may_go_on: Callable[[], bool] = lambda: True) -> None:
    delivery.deliver_due({}, may_go_on)


def make_due() -> None:
    OutgoingMail.objects.update(due=timezone.now())


def test_mail_is_sent_and_its_row_deleted(mail_server: MailServer) -> None:
    ids = [queue().message_id, queue().message_id]
    deliver()
    assert mail_server.message_ids() == ids
    assert mail_server.mails[0]["From"] == "Registry <registry@example.org>"
    assert mail_server.mails[0].get_content().strip() == "a link"
    assert not OutgoingMail.objects.exists()
    assert mail_server.connections == 1, "one connection for all"


def test_nothing_due_opens_no_connection(mail_server: MailServer) -> None:
    deliver()
    assert mail_server.connections == 0


def test_refused_recipient_is_given_up_and_holds_nobody(
    mail_server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    mail_server.replies["RCPT bob@example.org"] = "550 no such user bob@example.org"
    refused, other = queue(), queue("carol@example.org")
    deliver()
    assert mail_server.message_ids() == [other.message_id]
    (left,) = OutgoingMail.objects.all()
    assert (left.pk, left.content, left.reason) == (refused.pk, "", "SMTPRecipientsRefused 550")
    assert left.failed is not None
    (record,) = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert record.getMessage() == (
        "A mail (email_confirmation) is given up: SMTPRecipientsRefused 550"
    )
    assert "bob@example.org" not in caplog.text


def test_mail_that_is_refused_for_now_is_put_off_behind_others(mail_server: MailServer) -> None:
    mail_server.replies["RCPT bob@example.org"] = "450 mailbox is busy"
    first, other = queue(), queue("carol@example.org")
    deliver()
    assert mail_server.message_ids() == [other.message_id]
    (left,) = OutgoingMail.objects.all()
    assert (left.attempts, left.reason, left.failed) == (1, "SMTPRecipientsRefused 450", None)
    assert left.due > timezone.now()
    del mail_server.replies["RCPT bob@example.org"]
    deliver()
    assert len(mail_server.mails) == 1, "it is not due yet"
    make_due()
    deliver()
    assert mail_server.message_ids() == [other.message_id, first.message_id]


@pytest.mark.parametrize(
    ("reply", "is_given_up"),
    [("554 spam", True), ("452 full", False), ("hang up", False), ("421 away", False)],
)
def test_refused_text_is_given_up_only_for_good(
    mail_server: MailServer, reply: str, is_given_up: bool
) -> None:
    mail_server.replies["DATA"] = reply
    queue()
    deliver()
    left = OutgoingMail.objects.get()
    assert (left.failed is not None, left.attempts) == (is_given_up, 1)


def test_server_that_hangs_up_gets_the_next_mail_on_a_new_connection(
    mail_server: MailServer,
) -> None:
    mail_server.replies["DATA"] = "hang up"
    queue()
    queue("carol@example.org")
    deliver()
    assert mail_server.connections == 2
    assert [mail.attempts for mail in OutgoingMail.objects.all()] == [1, 1]


@pytest.mark.parametrize("greeting", ["421 too busy", "554 no service"])
def test_server_that_is_away_counts_against_no_mail(mail_server: MailServer, greeting: str) -> None:
    mail_server.replies["connect"] = greeting
    queue()
    queue()
    with pytest.raises(delivery.MailServerAway, match="SMTPConnectError"):
        deliver()
    assert [mail.attempts for mail in OutgoingMail.objects.all()] == [0, 0]
    assert mail_server.connections == 1


def test_pauses_grow_to_an_hour(mail_server: MailServer) -> None:
    mail_server.replies["DATA"] = "451 later"
    queue()
    pauses = []
    for _ in range(9):
        make_due()
        deliver()
        pauses.append((OutgoingMail.objects.get().due - timezone.now()).total_seconds())
    assert [round(pause) for pause in pauses[:4]] == [5, 15, 45, 135]
    assert round(pauses[-1]) == 3600


def test_mail_whose_links_have_expired_is_given_up(mail_server: MailServer) -> None:
    queue()
    OutgoingMail.objects.update(created=timezone.now() - delivery.MAX_AGE)
    deliver()
    assert not mail_server.mails
    left = OutgoingMail.objects.get()
    assert (left.content, left.reason) == ("", "no attempt was made in time")


def test_mail_of_another_key_is_given_up(mail_server: MailServer, settings: Any) -> None:
    queue()
    settings.SECRET_KEY = "another"
    other = queue()
    deliver()
    assert mail_server.message_ids() == [other.message_id]
    assert OutgoingMail.objects.get().reason == "it was encrypted with another SECRET_KEY"


def test_mail_that_cannot_be_made_holds_nobody(
    mail_server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    broken, other = queue("carol@example.org\nx"), queue()
    deliver()
    assert "BadHeaderError" in caplog.text
    assert "carol@example.org" not in caplog.text
    assert mail_server.message_ids() == [other.message_id]
    (left,) = OutgoingMail.objects.all()
    assert (left.pk, left.reason) == (broken.pk, "BadHeaderError")


def test_mail_is_sent_again_with_its_id_if_it_could_not_be_deleted(
    mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = queue()

    def break_off(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(OutgoingMail, "delete", break_off)
        with pytest.raises(KeyboardInterrupt):
            deliver()
    deliver()
    assert mail_server.message_ids() == [mail.message_id] * 2
    assert not OutgoingMail.objects.exists()


def test_worker_that_ends_leaves_the_rest(mail_server: MailServer) -> None:
    for _ in range(3):
        queue()
    answers = iter([True, True, False])
    deliver(lambda: next(answers))
    assert (len(mail_server.mails), OutgoingMail.objects.count()) == (2, 1)


def test_clock_that_went_back_delays_nothing(mail_server: MailServer) -> None:
    queue()
    OutgoingMail.objects.update(due=timezone.now() + timedelta(days=1))
    deliver()
    assert len(mail_server.mails) == 1


def test_request_is_prepared_in_one_write(mail_server: MailServer) -> None:
    queueing.queue_content("request", {"email": "bob@example.org"})

    def prepare(content: dict[str, Any]) -> None:
        queue(content["email"])
        if is_broken:
            raise ValueError

    is_broken = True
    delivery.deliver_due({"request": prepare}, lambda: True)
    assert [mail.kind for mail in OutgoingMail.objects.all()] == ["request"]
    make_due()
    is_broken = False
    delivery.deliver_due({"request": prepare}, lambda: True)
    assert not OutgoingMail.objects.exists()
    assert [mail["To"] for mail in mail_server.mails] == ["bob@example.org"]


def test_request_that_the_database_cannot_hold_is_put_off(mail_server: MailServer) -> None:
    def prepare(_: dict[str, Any]) -> None:
        raise DataError

    queueing.queue_content("request", {})
    other = queue()
    delivery.deliver_due({"request": prepare}, lambda: True)
    assert mail_server.message_ids() == [other.message_id]
    assert OutgoingMail.objects.get().reason == "DataError"


@pytest.mark.parametrize("is_raised_by_lock", [True, False])
def test_database_that_is_busy_counts_against_no_mail(
    mail_server: MailServer, is_raised_by_lock: bool
) -> None:
    def prepare(_: dict[str, Any]) -> None:
        if is_raised_by_lock:
            raise Refused(Code.BUSY, "Another write is in progress.")
        cause = sqlite3.OperationalError()
        cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise OperationalError from cause

    queueing.queue_content("request", {})
    with pytest.raises(Refused):
        delivery.deliver_due({"request": prepare}, lambda: True)
    assert OutgoingMail.objects.get().attempts == 0


def test_failed_mail_is_forgotten_after_a_month() -> None:
    queue()
    assert delivery.forget_failed() == 0
    OutgoingMail.objects.update(failed=timezone.now() - delivery.KEPT, content="")
    assert delivery.forget_failed() == 1
