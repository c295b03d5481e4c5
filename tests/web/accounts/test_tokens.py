"""The pages where users list, issue and revoke their tokens."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from registry.models import Namespace, Token, User
from registry.services.accounts import tokens
from registry.services.core import paging
from registry.services.core.permissions import Actor
from tests.forms import hidden_value
from tests.web.accounts.accounts import create_user, reauthenticate, sign_in
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

FORM = {"label": "CI", "scopes": ["publish"], "namespace": "acme", "pattern": "", "expires": ""}
TOKEN = re.compile(r"ttr_[0-9a-f]{12}_[A-Za-z0-9_-]{43}")


@pytest.fixture
def owner_client(client: Client, acme: Namespace, alice: User) -> Client:
    """Return a client signed in as the owner, Alice."""
    client.force_login(alice)
    return client


def issue(client: Client, **fields: Any) -> Any:
    return client.post("/me/tokens", {**FORM, **fields})


def test_new_token_is_shown_once_and_works(owner_client: Client, alice: User) -> None:
    response = issue(owner_client)
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    secret = TOKEN.findall(response.content.decode())[0]
    assert tokens.authenticate(secret).user == alice
    assert secret not in owner_client.get("/me/tokens").content.decode()
    assert secret not in str(dict(owner_client.session))
    assert "data-copy" in response.content.decode()


def test_list_shows_scopes_names_and_expiry(owner_client: Client, visit: Visitor) -> None:
    issue(owner_client, scopes=["publish", "yank"], expires="2999-01-31")
    text = visit("/me/tokens").text
    assert re.search(r"CI ttr_\w{12}_… publish yank acme ✓ in force 2999-01-31 never Revoke", text)
    assert "propose: submit proposals" in text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"label": " "}, "Enter the label."),
        ({"label": "x" * 81}, "81 characters are too many"),
        ({"label": "bell\x07"}, "U+0007"),
        ({"scopes": []}, "Choose at least one."),
        ({"scopes": ["root"]}, "root is not one of the available choices"),
        ({"namespace": ""}, "(empty) is not a namespace"),
        ({"pattern": "*"}, "a token for all names can only propose"),
        ({"namespace": "*"}, "a token for all names can only propose"),
        ({"pattern": "*", "scopes": ["propose", "yank"]}, "can only propose"),
        ({"pattern": "Acme/**"}, "is not a namespace or the beginning of names"),
        ({"pattern": "<script>"}, "&lt;script&gt; is not a namespace"),
        ({"namespace": "nvidia"}, "nvidia is not one of the available choices"),
        ({"expires": "2001-01-01"}, "2001-01-01 is in the past"),
        ({"expires": "soon"}, "Enter a valid date"),
    ],
)
def test_invalid_form_shows_the_error_and_keeps_its_input(
    owner_client: Client, fields: dict[str, Any], message: str
) -> None:
    response = issue(owner_client, **{"label": "Kept label", **fields})
    assert response.status_code == 400
    html = response.content.decode()
    assert message in html
    assert "label" in fields or 'value="Kept label"' in html
    assert not Token.objects.exists()


def test_pattern_overrides_the_namespace(owner_client: Client) -> None:
    issue(owner_client, pattern="nvidia/jetson/*", scopes=["propose"])
    assert Token.objects.get().pattern == "nvidia/jetson/*"


def test_user_without_roles_begins_with_a_token_that_proposes_anywhere(
    client: Client, visit: Visitor
) -> None:
    bob = User.objects.create_user("bob")
    client.force_login(bob)
    page = visit("/me/tokens")
    assert re.search(r'value="propose"[^>]*checked', page.html)
    assert '<option value="*" selected>All names, to propose and nothing else' in page.html
    response = issue(client, scopes=["propose"], namespace="*", expires="2999-01-31")
    secret = TOKEN.findall(response.content.decode())[0]
    assert tokens.authenticate(secret).user == bob
    assert Token.objects.get().pattern == "*"
    assert "all names" in visit("/me/tokens").text


def form_key(client: Client) -> str:
    return hidden_value(client.get("/me/tokens").content.decode(), "key")


def test_sending_a_form_again_issues_no_second_token(owner_client: Client) -> None:
    """As a reload of the page with the token does, or a second click."""
    key = form_key(owner_client)
    first = issue(owner_client, key=key)
    secret = TOKEN.findall(first.content.decode())[0]
    again = issue(owner_client, key=key, label="other")
    assert again.status_code == 409
    assert "has issued the token" in again.content.decode()
    assert secret not in again.content.decode()
    assert Token.objects.count() == 1


def test_other_forms_and_other_people_issue_tokens_of_their_own(owner_client: Client) -> None:
    key = form_key(owner_client)
    assert key != form_key(owner_client)
    assert issue(owner_client, key=key).status_code == 200
    assert issue(owner_client, key=form_key(owner_client)).status_code == 200
    assert issue(owner_client, key="no key").status_code == 400
    client = Client()
    client.force_login(User.objects.create_user("bob"))
    fields = {"scopes": ["propose"], "namespace": "*", "expires": "2999-01-31"}
    assert issue(client, key=key, **fields).status_code == 200
    assert Token.objects.count() == 3


def test_revoking_needs_confirmation(owner_client: Client, alice: User) -> None:
    issue(owner_client)
    token = Token.objects.get()
    path = f"/me/tokens/{token.prefix}/revoke"
    assert "This cannot be undone." in owner_client.get(path).content.decode()
    assert owner_client.post(path)["Location"] == "/me/tokens"
    token.refresh_from_db()
    assert token.revoked
    assert "revoked" in owner_client.get("/me/tokens").content.decode()
    assert owner_client.post(path).status_code == 409


def test_expired_token_is_marked(owner_client: Client, visit: Visitor) -> None:
    issue(owner_client)
    Token.objects.update(expires=timezone.now() - timedelta(days=1))
    assert "✕ expired" in visit("/me/tokens").text


def test_tokens_of_others_are_hidden(owner_client: Client) -> None:
    bob = User.objects.create_user("bob")
    tokens.issue_token(
        bob, label="secret plan", scopes=["propose"], pattern="acme", actor=Actor.operator(bob)
    )
    path = f"/me/tokens/{Token.objects.get().prefix}/revoke"
    assert owner_client.get(path).status_code == owner_client.post(path).status_code == 404
    assert "secret plan" not in owner_client.get("/me/tokens").content.decode()
    assert Token.objects.get().revoked is None


def test_input_is_kept_while_signing_in(client: Client, acme: Namespace, alice: User) -> None:
    assert issue(client, label="My label").status_code == 302
    stashed = client.session["carried"]
    client.force_login(alice)
    session = client.session
    session["carried"] = stashed
    session.save()
    html = client.get("/me/tokens").content.decode()
    assert 'value="My label"' in html
    assert re.search(r'value="publish"[^>]*checked', html)
    assert not Token.objects.exists()


def test_issuing_needs_a_csrf_token(acme: Namespace, alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert issue(client).status_code == 403
    assert not Token.objects.exists()


def test_number_of_queries_does_not_grow(owner_client: Client, visit: Visitor) -> None:
    issue(owner_client)
    before = visit("/me/tokens").queries
    for _ in range(4):
        issue(owner_client)
    assert visit("/me/tokens").queries == before <= 5


def issue_as_bob(client: Client, **fields: Any) -> Any:
    """Sign Bob in with a password and submit the form."""
    create_user("bob")
    sign_in(client, "bob")
    scopes = fields.pop("scopes", ["propose"])
    return issue(client, namespace="", pattern="acme", scopes=scopes, **fields)


@pytest.mark.parametrize(
    ("scopes", "expires", "needs_password"),
    [
        (["propose"], "2999-01-31", False),
        (["propose"], "", True),
        (["publish"], "2999-01-31", True),
        (["propose", "yank"], "2999-01-31", True),
        (["admin"], "2999-01-31", True),
    ],
)
def test_tokens_worth_stealing_need_the_password_again(
    client: Client, scopes: list[str], expires: str, needs_password: bool
) -> None:
    response = issue_as_bob(client, scopes=scopes, expires=expires, label="My CI")
    assert Token.objects.exists() is not needs_password
    if needs_password:
        response = reauthenticate(client, response)
    assert TOKEN.search(response.content.decode())
    assert Token.objects.get().label == "My CI"


def test_wrong_password_issues_no_token(client: Client) -> None:
    response = issue_as_bob(client)
    assert reauthenticate(client, response, "wrong").status_code == 400
    assert not Token.objects.exists()


def test_password_is_not_asked_for_twice_in_a_row(client: Client) -> None:
    reauthenticate(client, issue_as_bob(client))
    assert TOKEN.search(issue(client, namespace="", pattern="acme").content.decode())


def test_invalid_form_shows_its_errors_before_asking_for_the_password(client: Client) -> None:
    response = issue_as_bob(client, expires="soon")
    assert response.status_code == 400
    assert "Enter a valid date" in response.content.decode()


def test_large_form_is_not_kept(client: Client) -> None:
    assert issue_as_bob(client, note="x" * 200_000).status_code == 413


@pytest.mark.parametrize("count", [2, 3])
def test_every_token_is_on_one_of_the_pages(
    owner_client: Client,
    alice: User,
    visit: Visitor,
    monkeypatch: pytest.MonkeyPatch,
    count: int,
) -> None:
    monkeypatch.setattr(paging, "PAGE", 2)
    has_more = count > 2
    for number in range(count):
        Token.objects.create(
            owner=alice, label=f"number {number}", prefix=f"{number:012}", digest=f"{number:064}"
        )
    page = visit("/me/tokens")
    assert ("Next page" in page.text) is has_more
    assert "number 1" in page.text
    if has_more:
        assert "number 0" not in page.text
        rest = visit(next(link for link in page.links if "cursor=" in link))
        assert "number 0" in rest.text
        assert f"/me/tokens/{0:012}/revoke" in rest.links
        assert "Next page" not in rest.text
