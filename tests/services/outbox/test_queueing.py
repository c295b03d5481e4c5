"""Queued mail: stored with its transaction, and readable only with the secret key."""

from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from registry.models import OutgoingMail
from registry.services.outbox import queueing
from registry.services.outbox.sealing import Unreadable, seal, unseal

pytestmark = pytest.mark.django_db
SECRET = "https://registry.example.org/accounts/password/reset/key/1-abcdef/"


def message() -> EmailMultiAlternatives:
    mail = EmailMultiAlternatives("Ünïcode", SECRET, to=["bob@example.org"], headers={"X-A": "b"})
    mail.attach_alternative("<p>text</p>", "text/html")
    return mail


def stored_text() -> str:
    """Return all that the table holds, as a dump would."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM registry_outgoingmail")
        return repr(cursor.fetchall())


def test_message_comes_back_as_it_was() -> None:
    queueing.queue("password_reset_key", message())
    mail = OutgoingMail.objects.get()
    stored = queueing.message_of(mail, unseal(mail.content))
    assert (stored.subject, stored.body, stored.to) == ("Ünïcode", SECRET, ["bob@example.org"])
    assert [tuple(part) for part in stored.alternatives] == [("<p>text</p>", "text/html")]
    assert stored.extra_headers == {"X-A": "b", "Message-ID": mail.message_id}


def test_table_holds_neither_link_nor_recipient() -> None:
    queueing.queue("password_reset_key", message())
    queueing.queue_content("password_reset_request", {"email": "bob@example.org"})
    text = stored_text()
    assert "password_reset_key" in text
    for secret in (SECRET, "reset/key/1-abcdef", "bob@example.org", "<p>text"):
        assert secret not in text


def test_mail_of_another_secret_key_cannot_be_read(settings: Any) -> None:
    text = seal({"email": "bob@example.org"})
    assert unseal(text) == {"email": "bob@example.org"}
    settings.SECRET_KEY = "another"
    with pytest.raises(Unreadable):
        unseal(text)


def test_mail_is_rolled_back_with_its_write() -> None:
    with transaction.atomic():
        queueing.queue("email_confirmation", message())
        transaction.set_rollback(True)
    assert not OutgoingMail.objects.exists()


def test_queueing_is_one_query_and_no_look_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.getfqdn", lambda *_: pytest.fail("it looked for a name"))
    with CaptureQueriesContext(connection) as captured:
        queueing.queue("email_confirmation", message())
    assert len(captured) == 1


def test_every_mail_has_an_id_of_its_own_at_the_senders_domain(settings: Any) -> None:
    settings.DEFAULT_FROM_EMAIL = "Registry <registry@example.org>"
    for _ in range(2):
        queueing.queue("email_confirmation", message())
    first, second = OutgoingMail.objects.values_list("message_id", flat=True)
    assert first != second
    assert first.endswith("@example.org>")
