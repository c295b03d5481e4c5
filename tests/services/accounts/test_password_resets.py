"""A reset is queued whoever asks for it; only an account with the address gets a link."""

import re

import pytest
from allauth.account.models import EmailAddress
from pytest_django.fixtures import Settings

from registry.models import OutgoingMail
from registry.services.accounts import password_resets
from registry.services.outbox.sealing import Content, unseal
from tests.publishing import person

pytestmark = pytest.mark.django_db

LINK = re.compile(r"^https://registry\.example\.org/accounts/password/reset/key/\S+$", re.MULTILINE)


@pytest.fixture(autouse=True)
def bob(settings: Settings) -> None:
    settings.ALLOWED_HOSTS, settings.SENDS_MAIL = ["registry.example.org"], True
    user = person("bob")
    user.email = "bob@example.org"
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


def queued(kind: str) -> list[Content]:
    return [unseal(mail.content) for mail in OutgoingMail.objects.filter(kind=kind)]


def ask(email: str) -> Content:
    password_resets.request_reset(email, scheme="https", host="registry.example.org")
    (content,) = queued(password_resets.KIND)
    return content


@pytest.mark.parametrize("email", ["bob@example.org", "carol@example.org"])
def test_request_is_queued_as_it_was_made(email: str) -> None:
    assert ask(email) == {"email": email, "scheme": "https", "host": "registry.example.org"}
    assert OutgoingMail.objects.count() == 1


def test_account_with_the_address_gets_a_link_to_the_host_that_was_asked() -> None:
    password_resets.queue_links(ask("bob@example.org"))
    (mail,) = queued("password_reset_key")
    assert mail["to"] == ["bob@example.org"]
    assert LINK.search(mail["text"])


@pytest.mark.parametrize("email", ["carol@example.org", "bob@example.com", "no address"])
def test_nobody_else_gets_a_link(email: str) -> None:
    password_resets.queue_links(ask(email))
    assert not queued("password_reset_key")
    assert not any(
        LINK.search(unseal(mail.content).get("text", "")) for mail in OutgoingMail.objects.all()
    )
