"""Somebody makes an account: what it may be called, what is asked for, what it leaves."""

import json
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from registry.models import Event, User
from registry.services.accounts import closing, users
from registry.services.core.permissions import Actor
from tests.web.accounts.accounts import PASSWORD, is_in, link, made, mailing, sign_in
from tests.web.conftest import Visitor

__all__ = ["mailing"]
pytestmark = pytest.mark.django_db
GOOD = {"username": "bob", "password1": PASSWORD, "password2": PASSWORD}


def sign_up(client: Client, **typed: str) -> Any:
    return client.post("/accounts/signup/", GOOD | typed)


def test_an_account_is_made_and_one_is_in(client: Client) -> None:
    response = sign_up(client, next="/submit")
    assert (response.status_code, response.headers["Location"]) == (302, "/submit")
    bob = User.objects.get(username="bob")
    assert (bob.is_staff, bob.is_superuser, bob.email) == (False, False, "")
    assert bob.check_password(PASSWORD)
    event = Event.objects.latest("number")
    assert (event.action, event.subject, event.actor) == ("account.made", "bob", bob)
    assert json.loads(event.detail) == {"staff": False}
    assert is_in(client)


def test_pages_lead_to_each_other_and_keep_where_one_wanted_to_be(visit: Visitor) -> None:
    assert "/accounts/signup/?next=%2Fsubmit" in visit("/accounts/login/?next=/submit").links
    page = visit("/accounts/signup/?next=/submit")
    assert "/accounts/login/?next=%2Fsubmit" in page.links
    assert '<input type="hidden" name="next" value="/submit">' in page.html
    assert page.response.headers["Cache-Control"] == "no-store"
    assert page.queries <= 1


@pytest.mark.parametrize("url", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_nobody_is_led_elsewhere(client: Client, url: str) -> None:
    assert sign_up(client, next=url).headers["Location"] == "/me"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"username": "Bob"}, "Bob is not a user name. Expected: 3 to 40 lower-case letters"),
        ({"username": "bo"}, "bo is not a user name"),
        ({"username": "b" * 41}, "is not a user name"),
        ({"username": "-bob"}, "-bob is not a user name"),
        ({"username": "bób"}, "bób is not a user name"),
        ({"username": "a b c"}, "a b c is not a user name"),
        ({"username": "<script>"}, "is not a user name"),
        ({"username": "registry"}, "registry is reserved"),
        ({"username": ""}, "This field is required"),
        ({"username": "caroline"}, "an account caroline already exists"),
        ({"password1": "12345678"}, "entirely numeric"),
        ({"password1": "bob-bobby", "username": "bob-bobby"}, "too similar to the username"),
        ({"password2": "other"}, "You must type the same password"),
        ({"email": "bob"}, "Enter a valid email address"),
        ({"email": "caroline@example.org"}, "Another account has this address"),
    ],
)
def test_a_refused_account_is_not_made(client: Client, typed: dict[str, str], told: str) -> None:
    User.objects.create_user("Caroline", "caroline@example.org")
    before = User.objects.count()
    response = sign_up(client, **typed)
    text = response.content.decode()
    assert response.status_code == 422
    assert told in text.replace("&lt;", "<").replace("&gt;", ">")
    assert "<script>" not in text.partition("<main")[2]
    assert PASSWORD not in text
    assert User.objects.count() == before
    assert 'href="#id_' in text, "the summary leads to the fields"


def test_nobody_is_called_as_somebody_who_left(client: Client) -> None:
    closing.close_account(actor=Actor.operator(made()))
    assert "exists or has existed" in sign_up(client).content.decode()
    assert not User.objects.filter(username="bob").exists()


def test_what_two_send_at_once_makes_one(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "registry.web.accounts.adapter.AccountAdapter.clean_username", lambda _self, name, **_: name
    )
    made()
    assert sign_up(client).status_code == 400
    assert User.objects.filter(username="bob").count() == 1


def test_too_many_are_told_to_wait(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/m/ip"}
    for _ in range(2):
        sign_up(client, username="")
    response = sign_up(client)
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert "Too many requests" in response.content.decode()


@pytest.mark.usefixtures("mailing")
def test_where_mail_is_sent_the_address_is_confirmed_first(client: Client) -> None:
    assert "This field is required" in sign_up(client).content.decode()
    response = sign_up(client, email="bob@example.org", next="/submit")
    assert response.headers["Location"] == "/accounts/confirm-email/"
    assert not is_in(client)
    assert not is_in_with_password()
    page = client.get(link()).content.decode()
    assert "bob@example.org" in page
    assert client.post(link()).headers["Location"] == "/submit"
    assert is_in(client)
    assert mail.outbox[0].to == ["bob@example.org"]
    assert mail.outbox[0].subject.startswith("[Target Tag Registry] ")


def is_in_with_password() -> bool:
    other = Client()
    sign_in(other, "bob")
    return is_in(other)


@pytest.mark.usefixtures("mailing")
def test_a_used_or_broken_link_says_so(client: Client) -> None:
    sign_up(client, email="bob@example.org")
    path = link()
    client.post(path)
    for tried in (path, f"{path[:-3]}x/"):
        assert "This link is no longer valid" in client.get(tried).content.decode()


@pytest.mark.usefixtures("mailing")
def test_a_server_that_takes_no_mail_is_named(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    response = sign_up(client, email="bob@example.org")
    assert response.status_code == 503
    assert "The mail could not be sent" in response.content.decode()


def test_names_that_differ_in_case_only_are_one(boss: User) -> None:
    users.create_user("Carol", actor=Actor.operator(boss), password=PASSWORD)
    assert "already exists" in sign_up(Client(), username="carol").content.decode()


@pytest.fixture
def closed(settings: Any) -> None:
    """A registry whose administrators make all accounts."""
    settings.SIGNUP_OPEN = False


@pytest.mark.usefixtures("closed")
def test_closed_sign_up_makes_no_account(client: Client) -> None:
    for response in (client.get("/accounts/signup/"), sign_up(client)):
        assert response.status_code == 403
        assert "ask the administrators of this registry for an account" in response.content.decode()
        assert response.headers["Cache-Control"] == "no-store"
    assert not User.objects.filter(username="bob").exists()
    assert not is_in(client)


@pytest.mark.usefixtures("closed")
def test_no_page_leads_to_closed_sign_up(visit: Visitor) -> None:
    for path in ("/", "/accounts/login/", "/accounts/signup/", "/submit"):
        assert not [link for link in visit(path).links if link.startswith("/accounts/signup")]
    assert "created by the administrators" in visit("/accounts/login/").html


@pytest.mark.usefixtures("closed")
def test_accounts_that_exist_sign_in_where_sign_up_is_closed(client: Client) -> None:
    made()
    assert sign_in(client, "bob").status_code == 302
    assert is_in(client)
    assert client.get("/accounts/signup/").headers["Location"] == "/me"


@pytest.fixture
def boss(db: None) -> User:
    return User.objects.create_superuser("boss")
