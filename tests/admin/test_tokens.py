"""Tests of tokens in the admin."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from registry.models import Event, Session, Token, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from tests.admin.conftest import AdminClient, Page, last_event
from tests.forms import hidden_value
from tests.web.accounts.accounts import PASSWORD, reauthenticate, sign_in


@pytest.fixture
def superuser(superuser: AdminClient) -> AdminClient:
    """Return a superuser without a password, who is not asked for it again."""
    superuser.user.set_unusable_password()
    superuser.user.save()
    superuser.client.force_login(superuser.user)
    return superuser


TEXT = re.compile(r"ttr_[0-9a-f]{12}_[A-Za-z0-9_-]{43}")


def issue(superuser: AdminClient, **changed: object) -> Page:
    data = {"owner": "boss", "label": "CI", "scopes": ["publish"], "pattern": "*", "expires": ""}
    return superuser.post("registry/token/add/", **data | changed)


def test_token_is_shown_once_and_not_stored(
    superuser: AdminClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = issue(superuser)
    (text,) = set(TEXT.findall(answer.html))
    assert tokens.authenticate(text).user == superuser.user
    assert "no-store" in answer.response["Cache-Control"]
    assert answer.response.redirect_chain == []
    secret = text.split("_", 2)[2]  # may contain an underscore
    stored = [row.detail for row in Event.objects.all()]
    stored += [str(row.get_decoded()) for row in Session.objects.all()]
    stored += [str(answer.response.cookies), caplog.text]
    assert not any(secret in text for text in stored)
    assert not TEXT.search(superuser.get("registry/token/").html)
    token = Token.objects.get(label="CI")
    assert token.digest not in superuser.get(f"registry/token/{token.pk}/change/").html


def test_reloading_the_page_of_a_token_issues_no_other(superuser: AdminClient) -> None:
    key = hidden_value(superuser.get("registry/token/add/").html, "key")
    first = issue(superuser, key=key)
    assert "Reloading this page issues no other token" in first.text
    again = issue(superuser, key=key)
    assert again.status == 409
    assert not TEXT.search(again.html)
    assert Token.objects.count() == 1


def test_machine_account_can_be_the_owner(superuser: AdminClient) -> None:
    User.objects.create_user("ci-bot")
    assert TEXT.search(issue(superuser, owner="ci-bot", pattern="acme").html)
    assert last_event().actor == superuser.user


def test_token_cannot_be_issued_for_another_person(superuser: AdminClient) -> None:
    User.objects.create_user("bob", password="correct horse battery")
    answer = issue(superuser, owner="bob")
    assert answer.status == 403
    assert "bob is a person, who signs in" in answer.text
    assert not Token.objects.exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"owner": "bos"}, "Owner : There is no account bos. Did you mean boss?"),
        ({"label": ""}, "Label : Enter the label."),
        ({"scopes": []}, "Scopes : Choose at least one."),
        ({"scopes": ["everything"]}, "everything is not one of the available choices"),
        ({"pattern": "a b"}, "Names : a b is not a namespace or the beginning of names."),
        ({"expires": "2001-01-01"}, "Last day : 2001-01-01 is in the past"),
        ({"expires": "soon"}, "Enter a valid date."),
    ],
)
def test_rejected_token_keeps_the_input(
    superuser: AdminClient, changed: dict[str, Any], message: str
) -> None:
    answer = issue(superuser, **changed)
    assert answer.status == 400
    assert message in answer.text
    for value in filter(None, changed.values()):
        assert f'value="{value}"' in answer.html or isinstance(value, list)
    assert not Token.objects.exists()


def test_token_is_valid_until_the_end_of_its_last_day(superuser: AdminClient) -> None:
    day = (timezone.now() + timedelta(days=2)).date()
    issue(superuser, expires=day.isoformat())
    expires = Token.objects.get().expires
    assert expires == datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=UTC)


def test_revoked_token_cannot_be_revoked_again(superuser: AdminClient) -> None:
    issue(superuser)
    token = Token.objects.get()
    answer = superuser.post(f"registry/token/{token.pk}/revoke/")
    assert "is revoked." in answer.text
    assert f"registry/token/{token.pk}/revoke/" not in answer.html
    again = superuser.post(f"registry/token/{token.pk}/revoke/")
    assert again.status == 409


def test_list_can_be_filtered_by_state_and_owner(superuser: AdminClient) -> None:
    options: Any = {"scopes": {Scope.PUBLISH}, "pattern": "*", "actor": Actor(superuser.user)}
    tokens.issue_token(superuser.user, label="valid", **options)
    tokens.issue_token(superuser.user, label="expired", **options)
    Token.objects.filter(label="expired").update(expires=timezone.now() - timedelta(days=1))
    revoked = tokens.issue_token(superuser.user, label="revoked", **options)
    tokens.revoke_token(revoked.split("_")[1], actor=Actor(superuser.user))
    closed = User.objects.create_user("left", is_staff=True, is_active=False)
    tokens.issue_token(closed, label="left", **options)

    def labels(**filters: str) -> list[str]:
        return [row.split()[1] for row in superuser.get("registry/token/", **filters).rows]

    assert labels(state="in force") == ["valid"]
    assert labels(state="expired") == ["expired"]
    assert labels(state="revoked") == ["revoked"]
    assert labels(state="owner closed") == ["left"]
    assert labels(owner="left") == ["left"]


@pytest.mark.parametrize("lookup", ["digest__startswith", "digest", "owner__password__startswith"])
def test_digests_and_passwords_cannot_be_looked_up(superuser: AdminClient, lookup: str) -> None:
    assert superuser.get("registry/token/", **{lookup: "a"}).status == 400


def test_admin_asks_for_the_password_again(db: None) -> None:
    boss = User.objects.create_superuser("boss", password=PASSWORD)
    client = Client()
    sign_in(client, "boss")
    data = {"owner": "boss", "label": "CI", "scopes": ["publish"], "pattern": "*", "expires": ""}
    response = client.post("/admin/registry/token/add/", data)
    assert not Token.objects.exists()
    response = reauthenticate(client, response)
    assert TEXT.search(response.content.decode())
    assert Token.objects.get().owner == boss
