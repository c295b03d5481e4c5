"""The page where somebody closes their account."""

from typing import Any

import pytest
from django.test import Client

from registry.models import Namespace, User
from registry.services.accounts import closing
from registry.services.core.permissions import Actor
from tests.web.accounts.accounts import PASSWORD, confirm, is_in, made, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(db: None) -> User:
    return made()


@pytest.fixture
def inside(client: Client, bob: User) -> Client:
    sign_in(client, "bob")
    return client


def closed(client: Client, credit: str = "") -> Any:
    return confirm(client, client.post("/me/close", {"credit": credit}))


def test_the_page_says_before_what_stays_and_what_goes(inside: Client) -> None:
    text = inside.get("/me/close").content.decode()
    for said in (
        "What is kept",
        "What is deleted",
        "cannot be taken back",
        "nobody else can ever take it",
    ):
        assert said in text
    assert 'aria-current="page">Close account' in text


def test_an_account_is_closed_and_one_is_out(inside: Client, bob: User) -> None:
    other = Client()
    sign_in(other, "bob")
    response = closed(inside, "Bob the Builder")
    assert response.headers["Location"] == "/"
    bob.refresh_from_db()
    assert (bob.username, bob.is_active) == ("Bob the Builder", False)
    told = inside.get("/").content.decode()
    assert "What you wrote is by Bob the Builder now." in told
    assert not is_in(other)
    assert not is_in(inside)


def test_the_password_is_asked_for_again(inside: Client, bob: User) -> None:
    asked = inside.post("/me/close")
    wrong = confirm(inside, asked, "wrong")
    assert wrong.status_code == 422
    bob.refresh_from_db()
    assert (bob.is_active, bob.username) == (True, "bob")


@pytest.mark.parametrize(
    ("credit", "told"),
    [
        ("Carol", "already exists"),
        ("Registry", "reserved"),
        ("x" * 61, "61 characters are too many"),
        ("a\x07b", "U+0007 is not allowed here"),
        ("\u202ebob", "U+202E is not allowed here"),
    ],
)
def test_a_credit_that_cannot_be_is_kept_in_the_form(
    inside: Client, bob: User, credit: str, told: str
) -> None:
    made("carol")
    response = closed(inside, credit)
    assert response.status_code == 400
    assert told in response.content.decode()
    bob.refresh_from_db()
    assert bob.is_active


def test_markup_in_a_credit_is_text(inside: Client) -> None:
    closed(inside, "<b>bob</b>")
    text = inside.get("/").content.decode()
    assert "&lt;b&gt;bob&lt;/b&gt; now" in text


def test_the_last_owner_makes_somebody_else_one_first(client: Client, acme: Namespace) -> None:
    alice = User.objects.get(username="alice")
    alice.set_password(PASSWORD)
    alice.save()
    sign_in(client, "alice")
    response = closed(client)
    assert response.status_code == 409
    assert f"alice is the last owner of {acme}" in response.content.decode()


def test_strangers_sign_in_first(client: Client) -> None:
    assert client.get("/me/close").headers["Location"] == "/accounts/login/?next=/me/close"


def test_a_session_without_a_csrf_token_closes_nothing(bob: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(bob)
    assert strict.post("/me/close").status_code == 403
    bob.refresh_from_db()
    assert bob.is_active


def test_what_is_closed_cannot_be_signed_in_to(client: Client, bob: User) -> None:
    closing.close_account(actor=Actor.operator(bob))
    for login in ("bob", "a former contributor"):
        assert sign_in(client, login).status_code == 422
