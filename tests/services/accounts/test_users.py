"""Accounts: usernames, creation and events."""

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.test import Client

from registry.domain.errors import Code, Refused
from registry.models import Event, User
from registry.services.accounts import usernames, users
from registry.services.accounts.users import AccountRights
from registry.services.core.permissions import Actor

PASSWORD = "correct horse battery"
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["bob", "b0b", "0bob", "bob.the-builder_2", "b" * 40])
def test_valid_names_are_accepted(name: str) -> None:
    assert not list(usernames.username_faults(name))


@pytest.mark.parametrize(
    "name", ["", "bo", "b" * 41, "Bob", "bob!", ".bob", "bób", "bob\n", "b ob", "me", "admin"]
)
def test_invalid_names_are_rejected(name: str) -> None:
    (fault,) = usernames.username_faults(name)
    assert fault.pointer == "/username"
    assert fault.expected


def test_sign_up_creates_an_account_without_rights() -> None:
    bob = users.sign_up("bob", password=PASSWORD, email="bob@example.org")
    assert bob.check_password(PASSWORD)
    assert (bob.is_active, bob.is_staff, bob.is_superuser) == (True, False, False)
    event = Event.objects.latest("number")
    assert (event.action, event.subject, event.actor) == ("account.made", "bob", bob)
    assert PASSWORD not in event.detail


def test_all_faults_are_reported_together() -> None:
    with pytest.raises(Refused) as refused:
        users.sign_up("Bob", password="12345678", email="bob")
    assert refused.value.code is Code.REQUEST_INVALID
    pointers = {fault.pointer for fault in refused.value.faults}
    assert pointers == {"/username", "/password", "/email"}
    assert not User.objects.filter(username__iexact="bob").exists()


@pytest.mark.parametrize("name", ["Boss", "boss"])
def test_names_are_compared_case_insensitively(name: str) -> None:
    boss = User.objects.create_superuser("boss")
    with pytest.raises(Refused, match="is or was used by another account"):
        users.create_user(name, actor=Actor.operator(boss))


def test_changes_made_by_allauth_are_logged() -> None:
    bob = users.sign_up("bob", password=PASSWORD)
    users.record_email_change(bob)
    users.record_factor_added(bob, "totp")
    users.record_factor_removed(bob, "totp")
    events = list(Event.objects.order_by("-number")[:3])[::-1]
    assert [(event.action, json.loads(event.detail)) for event in events] == [
        ("account.changed", {"changed": ["email"]}),
        ("account.factor_added", {"factor": "totp"}),
        ("account.factor_removed", {"factor": "totp"}),
    ]
    assert {event.actor for event in events} == {bob}


def test_passkeys_of_an_account_are_counted_without_other_factors() -> None:
    bob, carol = (users.sign_up(name, password=PASSWORD) for name in ("bob", "carol"))
    for kind in (Authenticator.Type.WEBAUTHN, Authenticator.Type.TOTP):
        Authenticator.objects.create(user=bob, type=kind, data={})
    assert (users.count_passkeys(bob), users.count_passkeys(carol)) == (1, 0)
    assert users.has_factor(bob)


def test_an_account_is_found_by_its_username_or_address() -> None:
    bob = User.objects.create_user("bob", email="bob@example.org")
    EmailAddress.objects.create(user=bob, email="second@example.org")
    for login in ("bob", "BOB", "bob@example.org", "Second@example.org"):
        assert users.find_by_login(login) == bob
    assert users.find_by_login("bob@example") is None


def test_address_that_an_administrator_replaces_signs_in_no_longer() -> None:
    boss = Actor.operator(User.objects.create_superuser("boss"))
    bob = User.objects.create_user("bob", email="bob@example.org")
    for email in ("bob@example.org", "second@example.org"):
        EmailAddress.objects.create(user=bob, email=email, verified=True)

    def change(email: str) -> list[str]:
        details = {"first_name": "", "last_name": "", "email": email}
        users.update_user(bob, actor=boss, rights=AccountRights(), **details)
        return [row.email for row in EmailAddress.objects.filter(user=bob).order_by("pk")]

    assert change("Bob@example.org") == ["bob@example.org", "second@example.org"], "the same"
    assert change("") == ["second@example.org"]
    assert users.find_by_login("bob@example.org") is None


def test_sessions_of_an_account_that_is_closed_do_not_come_back_with_it(client: Client) -> None:
    boss = Actor.operator(User.objects.create_superuser("boss"))
    bob, carol = (User.objects.create_user(name) for name in ("bob", "carol"))
    others = Client()
    client.force_login(bob)
    others.force_login(carol)
    for is_active in (False, True):
        details = {"first_name": "", "last_name": "", "email": ""}
        rights = AccountRights(is_active=is_active)
        users.update_user(bob, actor=boss, rights=rights, **details)
    assert client.get("/me").status_code == 302
    assert others.get("/me").status_code == 200
