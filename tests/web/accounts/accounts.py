"""People with passwords, and a registry that sends mail, for tests of their pages."""

import re
from typing import Any

import pytest
from django.core import mail
from django.http import HttpResponse
from django.test import Client

from registry.models import Event, User
from registry.services.accounts import users

PASSWORD = "correct horse battery"
OTHER = "another horse battery"


def sign_in(client: Client, login: str, password: str = PASSWORD, **typed: str) -> Any:
    """What answers the form that signs people in."""
    return client.post("/accounts/login/", {"login": login, "password": password, **typed})


def confirm(client: Client, response: Any, password: str = PASSWORD) -> Any:
    """What answers once the password was typed again."""
    assert response.headers["Location"].startswith("/accounts/reauthenticate/"), response
    return client.post(
        response.headers["Location"], {"password": password, "next": after(response)}
    )


def after(response: HttpResponse) -> str:
    """Where a redirect wants to go afterwards."""
    return response.headers["Location"].partition("next=")[2].replace("%2F", "/")


def is_in(client: Client) -> bool:
    """Whether somebody is signed in."""
    return "sign in" not in client.get("/").content.decode().partition("<main")[0].lower()


def made(username: str = "bob", email: str = "") -> User:
    """Somebody with a password."""
    return users.sign_up(username, password=PASSWORD, email=email)


def actions() -> list[str]:
    """What was done, as the log has it."""
    return list(
        Event.objects.filter(action__startswith="account.").values_list("action", flat=True)
    )


def link() -> str:
    """The path that the last mail leads to."""
    (found,) = re.findall(r"https?://[^/\s]+(/accounts/\S+)", str(mail.outbox[-1].body))
    return str(found)


@pytest.fixture
def mailing(settings: Any) -> None:
    """A registry that sends mail, which stays in `mail.outbox`."""
    settings.SENDS_MAIL = True
    settings.DEFAULT_FROM_EMAIL = "registry@example.org"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
