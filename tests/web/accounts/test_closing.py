"""The page for closing an account."""

from typing import Any

import pytest
from django.test import Client

from registry.models import Namespace, User
from registry.services.accounts import closing
from registry.services.core.permissions import Actor
from tests.web.accounts.accounts import PASSWORD, create_user, is_signed_in, reauthenticate, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(db: None) -> User:
    return create_user()


@pytest.fixture
def bob_client(client: Client, bob: User) -> Client:
    sign_in(client, "bob")
    return client


def close_account(client: Client, credit: str = "") -> Any:
    return reauthenticate(client, client.post("/me/close", {"credit": credit}))


def test_page_lists_what_is_kept_and_deleted(bob_client: Client) -> None:
    text = bob_client.get("/me/close").content.decode()
    for message in (
        "What is kept",
        "What is deleted",
        "cannot be undone",
        "nobody else can ever take it",
    ):
        assert message in text
    assert 'aria-current="page">Close account' in text


def test_closing_renames_the_account_and_signs_out(bob_client: Client, bob: User) -> None:
    other = Client()
    sign_in(other, "bob")
    response = close_account(bob_client, "Bob the Builder")
    assert response.headers["Location"] == "/"
    bob.refresh_from_db()
    assert (bob.username, bob.is_active) == ("Bob the Builder", False)
    text = bob_client.get("/").content.decode()
    assert "Your contributions are now credited to Bob the Builder." in text
    assert not is_signed_in(other)
    assert not is_signed_in(bob_client)


def test_password_is_required_again(bob_client: Client, bob: User) -> None:
    response = bob_client.post("/me/close")
    response = reauthenticate(bob_client, response, "wrong")
    assert response.status_code == 400
    bob.refresh_from_db()
    assert (bob.is_active, bob.username) == (True, "bob")


@pytest.mark.parametrize(
    ("credit", "message"),
    [
        ("Carol", "is or was used by another account"),
        ("Registry", "reserved"),
        ("x" * 61, "61 characters are too many"),
        ("a\x07b", "U+0007 is not allowed here"),
        ("\u202ebob", "U+202E is not allowed here"),
    ],
)
def test_invalid_credit_is_kept_in_the_form(
    bob_client: Client, bob: User, credit: str, message: str
) -> None:
    create_user("carol")
    response = close_account(bob_client, credit)
    assert response.status_code == 400
    assert message in response.content.decode()
    bob.refresh_from_db()
    assert bob.is_active


def test_a_credit_is_escaped(bob_client: Client) -> None:
    close_account(bob_client, "Bob & Co.")
    text = bob_client.get("/").content.decode()
    assert "credited to Bob &amp; Co." in text


def test_last_owner_cannot_close_the_account(client: Client, acme: Namespace) -> None:
    alice = User.objects.get(username="alice")
    alice.set_password(PASSWORD)
    alice.save()
    sign_in(client, "alice")
    response = close_account(client)
    assert response.status_code == 409
    assert f"alice is the last owner of {acme}" in response.content.decode()


def test_anonymous_users_sign_in_first(client: Client) -> None:
    assert client.get("/me/close").headers["Location"] == "/accounts/login/?next=/me/close"


def test_closing_needs_a_csrf_token(bob: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(bob)
    assert strict.post("/me/close").status_code == 403
    bob.refresh_from_db()
    assert bob.is_active


def test_closed_account_cannot_sign_in(client: Client, bob: User) -> None:
    closing.close_account(actor=Actor.operator(bob))
    for login in ("bob", "a former contributor"):
        assert sign_in(client, login).status_code == 400
