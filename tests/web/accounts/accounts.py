"""Helpers for tests of account pages: users with passwords, sign-in, and email."""

import re
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.http import HttpResponse
from django.test import Client

from registry.models import Event, User
from registry.services.accounts import users
from registry.services.outbox import delivery
from registry.services.work.mail_delivery import PREPARATIONS

PASSWORD = "correct horse battery"
NEW_PASSWORD = "another horse battery"


def sign_in(client: Client, login: str, password: str = PASSWORD, **fields: str) -> Any:
    """Submit the sign-in form."""
    return client.post("/accounts/login/", {"login": login, "password": password, **fields})


def reauthenticate(client: Client, response: Any, password: str = PASSWORD) -> Any:
    """Enter the password again, as the response demands."""
    assert response.headers["Location"].startswith("/accounts/reauthenticate/"), response
    return client.post(
        response.headers["Location"], {"password": password, "next": next_url(response)}
    )


def next_url(response: HttpResponse) -> str:
    """Return the `next` parameter of a redirect."""
    return response.headers["Location"].partition("next=")[2].replace("%2F", "/")


def is_signed_in(client: Client) -> bool:
    return "sign in" not in client.get("/").content.decode().partition("<main")[0].lower()


def create_user(username: str = "bob", email: str = "") -> User:
    """Create a user with a password."""
    return users.sign_up(username, password=PASSWORD, email=email)


def account_events() -> list[str]:
    """Return the actions of all events about accounts."""
    return list(
        Event.objects.filter(action__startswith="account.").values_list("action", flat=True)
    )


def deliver() -> list[EmailMessage]:
    """Send the mail that waits, as the worker does; return all that was sent."""
    delivery.deliver_due(PREPARATIONS, lambda: True)
    return list(mail.outbox)


def mailed_path() -> str:
    """Return the path of the link in the last email."""
    deliver()
    (path,) = re.findall(r"https?://[^/\s]+(/accounts/\S+)", str(mail.outbox[-1].body))
    return str(path)


@pytest.fixture
def email_enabled(settings: Any) -> None:
    """Let the registry send email, which is kept in `mail.outbox`."""
    settings.SENDS_MAIL = True
    settings.DEFAULT_FROM_EMAIL = "registry@example.org"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
