"""Sign-up: valid forms, errors, email confirmation, and closed sign-up."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.core import mail
from django.test import Client

from registry.domain.errors import Code, Refused
from registry.models import Event, OutgoingMail, User
from registry.services.accounts import closing, users
from registry.services.core import transactions
from registry.services.core.permissions import Actor
from tests.web.accounts.accounts import (
    PASSWORD,
    create_user,
    email_enabled,
    is_signed_in,
    mailed_path,
    sign_in,
)
from tests.web.conftest import Visitor

__all__ = ["email_enabled"]
pytestmark = pytest.mark.django_db
FORM = {"username": "bob", "password1": PASSWORD, "password2": PASSWORD}


def sign_up(client: Client, **fields: str) -> Any:
    return client.post("/accounts/signup/", FORM | fields)


def test_sign_up_creates_the_account_and_signs_in(client: Client) -> None:
    response = sign_up(client, next="/submit")
    offer = "/me/recovery-key?next=%2Fsubmit"
    assert (response.status_code, response.headers["Location"]) == (302, offer)
    bob = User.objects.get(username="bob")
    assert (bob.is_staff, bob.is_superuser, bob.email) == (False, False, "")
    assert bob.check_password(PASSWORD)
    event = Event.objects.latest("number")
    assert (event.action, event.subject, event.actor) == ("account.made", "bob", bob)
    assert json.loads(event.detail) == {"staff": False}
    assert is_signed_in(client)


def test_sign_in_and_sign_up_link_to_each_other_with_next(visit: Visitor) -> None:
    assert "/accounts/signup/?next=%2Fsubmit" in visit("/accounts/login/?next=/submit").links
    page = visit("/accounts/signup/?next=/submit")
    assert "/accounts/login/?next=%2Fsubmit" in page.links
    assert '<input type="hidden" name="next" value="/submit">' in page.html
    assert page.response.headers["Cache-Control"] == "no-store"
    assert page.queries <= 1


@pytest.mark.parametrize("url", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_next_must_be_on_this_site(client: Client, url: str) -> None:
    assert sign_up(client, next=url).headers["Location"] == "/me/recovery-key?next=%2Fme"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"username": "Bob"}, "Bob is not a valid username. Expected: 3 to 40 lower-case letters"),
        ({"username": "bo"}, "bo is not a valid username"),
        ({"username": "b" * 41}, "is not a valid username"),
        ({"username": "-bob"}, "-bob is not a valid username"),
        ({"username": "bób"}, "bób is not a valid username"),
        ({"username": "a b c"}, "a b c is not a valid username"),
        ({"username": "<script>"}, "is not a valid username"),
        ({"username": "registry"}, "registry is reserved"),
        ({"username": ""}, "Enter the username."),
        ({"username": "caroline"}, "the name caroline is or was used by another account"),
        ({"password1": "12345678"}, "entirely numeric"),
        ({"password1": "bob-bobby", "username": "bob-bobby"}, "too similar to the username"),
        ({"password2": "other"}, "You must type the same password"),
        ({"email": "bob"}, "Enter a valid email address"),
        ({"email": "caroline@example.org"}, "Another account has this address"),
    ],
)
def test_invalid_form_creates_no_account(
    client: Client, fields: dict[str, str], message: str
) -> None:
    User.objects.create_user("Caroline", "caroline@example.org")
    before = User.objects.count()
    response = sign_up(client, **fields)
    text = response.content.decode()
    assert response.status_code == 400
    assert message in text.replace("&lt;", "<").replace("&gt;", ">")
    assert "<script>" not in text.partition("<main")[2]
    assert PASSWORD not in text
    assert User.objects.count() == before
    assert 'href="#id_' in text, "errors link to their fields"


def test_username_of_a_closed_account_is_taken(client: Client) -> None:
    closing.close_account(actor=Actor.operator(create_user()))
    assert "is or was used by another account" in sign_up(client).content.decode()
    assert not User.objects.filter(username="bob").exists()


def test_concurrent_sign_ups_create_one_account(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "registry.web.accounts.adapter.AccountAdapter.clean_username", lambda _self, name, **_: name
    )
    create_user()
    response = sign_up(client, email="bob@example.org")
    assert response.status_code == 400
    page = response.content.decode()
    assert "is or was used by another account" in page
    assert 'value="bob@example.org"' in page
    assert User.objects.filter(username="bob").count() == 1


def test_too_many_attempts_are_limited(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/m/ip"}
    for _ in range(2):
        sign_up(client, username="")
    response = sign_up(client)
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert "Too many requests" in response.content.decode()


@pytest.mark.usefixtures("email_enabled")
def test_address_must_be_confirmed_if_email_is_enabled(client: Client) -> None:
    assert "Enter the email address." in sign_up(client).content.decode()
    response = sign_up(client, email="bob@example.org", next="/submit")
    assert response.headers["Location"] == "/accounts/confirm-email/"
    assert not is_signed_in(client)
    assert not can_sign_in()
    page = client.get(mailed_path()).content.decode()
    assert "bob@example.org" in page
    offer = "/me/recovery-key?next=%2Fsubmit"
    assert client.post(mailed_path()).headers["Location"] == offer
    assert is_signed_in(client)
    assert mail.outbox[0].to == ["bob@example.org"]
    assert mail.outbox[0].subject.startswith("[Target Tag Registry] ")


def can_sign_in() -> bool:
    other = Client()
    sign_in(other, "bob")
    return is_signed_in(other)


@pytest.mark.usefixtures("email_enabled")
def test_used_or_broken_link_is_invalid(client: Client) -> None:
    sign_up(client, email="bob@example.org")
    path = mailed_path()
    client.post(path)
    for url in (path, f"{path[:-3]}x/"):
        assert "This link is no longer valid" in client.get(url).content.decode()
        again = client.post(url, follow=True)
        assert "This link is no longer valid" in again.content.decode()


@pytest.mark.usefixtures("email_enabled")
def test_address_that_somebody_else_confirms_meanwhile_is_not_confirmed(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(client, email="bob@example.org")
    other = EmailAddress.objects.create(user=create_user("other"), email="bob@example.org")

    @contextmanager
    def lock_that_waits() -> Iterator[None]:
        with transactions.write_lock():
            EmailAddress.objects.filter(pk=other.pk).update(verified=True)
            yield

    monkeypatch.setattr("registry.web.accounts.urls.write_lock", lock_that_waits)
    response = client.post(mailed_path(), follow=True)
    assert "bob@example.org" in response.content.decode()
    assert not is_signed_in(client)
    verified = EmailAddress.objects.get(verified=True)
    assert verified == other


@pytest.mark.usefixtures("email_enabled")
def test_sign_up_opens_no_connection_to_the_mail_server(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.core.mail.EmailMessage.send", lambda *_: pytest.fail("it sent"))
    assert sign_up(client, email="bob@example.org").status_code == 302
    assert [mail.kind for mail in OutgoingMail.objects.all()] == ["email_confirmation_signup"]


@pytest.mark.usefixtures("email_enabled")
def test_account_without_its_mail_is_not_stored(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise Refused(Code.BUSY, "The database is away.")

    monkeypatch.setattr("registry.services.outbox.queueing.queue", fail)
    assert sign_up(client, email="bob@example.org").status_code == 503
    assert not User.objects.filter(username="bob").exists()
    assert not EmailAddress.objects.filter(email="bob@example.org").exists()
    assert not Event.objects.filter(subject="bob").exists()


@pytest.mark.usefixtures("email_enabled")
def test_password_is_hashed_before_the_lock_is_taken(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    write_lock = transactions.write_lock

    @contextmanager
    def watched_lock() -> Iterator[None]:
        steps.append("lock")
        with write_lock():
            yield

    def watched_hash(password: str) -> str:
        steps.append("hash")
        return make_password(password)

    for room in ("web.accounts.signing_up", "services.accounts.users"):
        monkeypatch.setattr(f"registry.{room}.write_lock", watched_lock)
    for room in ("web.accounts.forms", "services.accounts.users"):
        monkeypatch.setattr(f"registry.{room}.make_password", watched_hash)
    sign_up(client, email="bob@example.org")
    assert steps == ["hash", "lock", "lock"]
    assert User.objects.get(username="bob").check_password(PASSWORD)


def test_usernames_are_case_insensitive(admin: User) -> None:
    users.create_user("Carol", actor=Actor.operator(admin), password=PASSWORD)
    response = sign_up(Client(), username="carol")
    assert "is or was used by another account" in response.content.decode()


@pytest.fixture
def signup_closed(settings: Any) -> None:
    """Close sign-up."""
    settings.SIGNUP_OPEN = False


@pytest.mark.usefixtures("signup_closed")
def test_closed_sign_up_creates_no_account(client: Client) -> None:
    for response in (client.get("/accounts/signup/"), sign_up(client)):
        assert response.status_code == 403
        assert "ask the administrators of this registry for an account" in response.content.decode()
        assert response.headers["Cache-Control"] == "no-store"
    assert not User.objects.filter(username="bob").exists()
    assert not is_signed_in(client)


@pytest.mark.usefixtures("signup_closed")
def test_no_page_links_to_closed_sign_up(visit: Visitor) -> None:
    for path in ("/", "/accounts/login/", "/accounts/signup/", "/submit"):
        assert not [link for link in visit(path).links if link.startswith("/accounts/signup")]
    assert "created by the administrators" in visit("/accounts/login/").html


@pytest.mark.usefixtures("signup_closed")
def test_existing_accounts_can_sign_in_if_sign_up_is_closed(client: Client) -> None:
    create_user()
    assert sign_in(client, "bob").status_code == 302
    assert is_signed_in(client)
    assert client.get("/accounts/signup/").headers["Location"] == "/me"


@pytest.fixture
def admin(db: None) -> User:
    return User.objects.create_superuser("admin")
