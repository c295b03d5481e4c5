"""One's tokens: made, shown once, revoked."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from registry.models import Namespace, Token, User
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

FORM = {"label": "CI", "scopes": ["publish"], "namespace": "acme", "pattern": "", "expires": ""}
TEXT = re.compile(r"ttr_[0-9a-f]{12}_[A-Za-z0-9_-]{43}")


@pytest.fixture
def signed(client: Client, acme: Namespace, alice: User) -> Client:
    """Alice, who owns Acme."""
    client.force_login(alice)
    return client


def send(client: Client, **typed: Any) -> Any:
    return client.post("/me/tokens", {**FORM, **typed})


def test_new_token_is_shown_once_and_works(signed: Client, alice: User) -> None:
    response = send(signed)
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    secret = TEXT.findall(response.content.decode())[0]
    assert tokens.authenticate(secret).user == alice
    assert secret not in signed.get("/me/tokens").content.decode()
    assert secret not in str(dict(signed.session))
    assert "data-copy" in response.content.decode()


def test_list_says_what_each_is_for(signed: Client, visit: Visitor) -> None:
    send(signed, scopes=["publish", "yank"], expires="2999-01-31")
    text = visit("/me/tokens").text
    assert re.search(r"CI ttr_\w{12}_… publish yank acme ✓ in force 2999-01-31 never Revoke", text)
    assert "propose: submit proposals" in text


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"label": " "}, "This field is required"),
        ({"label": "x" * 81}, "81 characters are too many"),
        ({"label": "bell\x07"}, "U+0007"),
        ({"scopes": []}, "This field is required"),
        ({"scopes": ["root"]}, "root is not one of the available choices"),
        ({"namespace": ""}, "is not a pattern of names"),
        ({"pattern": "*"}, "is not a pattern of names"),
        ({"pattern": "Acme/**"}, "is not a pattern of names"),
        ({"pattern": "<script>"}, "&lt;script&gt; is not a pattern of names"),
        ({"namespace": "nvidia"}, "nvidia is not one of the available choices"),
        ({"expires": "2001-01-01"}, "2001-01-01 is in the past"),
        ({"expires": "soon"}, "Enter a valid date"),
    ],
)
def test_bad_form_says_what_is_wrong_and_keeps_the_rest(
    signed: Client, typed: dict[str, Any], says: str
) -> None:
    response = send(signed, **{"label": "Kept label", **typed})
    assert response.status_code in {400, 422}
    html = response.content.decode()
    assert says in html
    assert "label" in typed or 'value="Kept label"' in html
    assert not Token.objects.exists()


def test_typed_pattern_takes_the_place_of_the_choice(signed: Client) -> None:
    send(signed, pattern="nvidia/jetson/*", scopes=["propose"])
    assert Token.objects.get().pattern == "nvidia/jetson/*"


def test_who_has_no_role_types_the_names(client: Client, visit: Visitor) -> None:
    client.force_login(User.objects.create_user("bob"))
    page = visit("/me/tokens")
    assert 'name="namespace"' not in page.html
    assert re.search(r'value="propose"[^>]*checked', page.html)


def test_revoking_is_confirmed_first(signed: Client, alice: User) -> None:
    send(signed)
    token = Token.objects.get()
    path = f"/me/tokens/{token.prefix}/revoke"
    assert "cannot be put back in force" in signed.get(path).content.decode()
    assert signed.post(path)["Location"] == "/me/tokens"
    token.refresh_from_db()
    assert token.revoked
    assert "revoked" in signed.get("/me/tokens").content.decode()
    assert signed.post(path).status_code == 409


def test_expired_token_says_so(signed: Client, visit: Visitor) -> None:
    send(signed)
    Token.objects.update(expires=timezone.now() - timedelta(days=1))
    assert "✕ expired" in visit("/me/tokens").text


def test_tokens_of_others_are_not_there(signed: Client) -> None:
    bob = User.objects.create_user("bob")
    tokens.issue_token(
        bob, label="secret plan", scopes=["propose"], pattern="acme", actor=Actor.operator(bob)
    )
    path = f"/me/tokens/{Token.objects.get().prefix}/revoke"
    assert signed.get(path).status_code == signed.post(path).status_code == 404
    assert "secret plan" not in signed.get("/me/tokens").content.decode()
    assert Token.objects.get().revoked is None


def test_stranger_signs_in_and_keeps_what_was_typed(
    client: Client, acme: Namespace, alice: User
) -> None:
    assert send(client, label="My label").status_code == 302
    kept = client.session["carried"]
    client.force_login(alice)
    session = client.session
    session["carried"] = kept
    session.save()
    html = client.get("/me/tokens").content.decode()
    assert 'value="My label"' in html
    assert re.search(r'value="publish"[^>]*checked', html)
    assert not Token.objects.exists()


def test_without_csrf_token_nothing_is_made(acme: Namespace, alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert send(client).status_code == 403
    assert not Token.objects.exists()


def test_number_of_queries_does_not_grow(signed: Client, visit: Visitor) -> None:
    send(signed)
    one = visit("/me/tokens").queries
    for _ in range(4):
        send(signed)
    assert visit("/me/tokens").queries == one <= 5
