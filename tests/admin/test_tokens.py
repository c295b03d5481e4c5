"""Tokens at the admin: issued, shown once, revoked."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from registry.models import Event, Token, User
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor, Scope
from tests.admin.conftest import Answer, Desk, last_event

TEXT = re.compile(r"ttr_[0-9a-f]{12}_[A-Za-z0-9_-]{43}")


def issue(desk: Desk, **changed: object) -> Answer:
    typed = {"owner": "boss", "label": "CI", "scopes": ["publish"], "pattern": "*", "expires": ""}
    return desk.send("registry/token/add/", **typed | changed)


def test_its_text_is_shown_once_and_kept_nowhere(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    answer = issue(desk)
    (text,) = set(TEXT.findall(answer.html))
    assert tokens.authenticate(text).user == desk.user
    assert "no-store" in answer.response["Cache-Control"]
    assert answer.response.redirect_chain == []
    secret = text.rpartition("_")[2]
    kept = [row.detail for row in Event.objects.all()]
    kept += [str(row.get_decoded()) for row in Session.objects.all()]
    kept += [str(answer.response.cookies), caplog.text]
    assert not any(secret in place for place in kept)
    assert not TEXT.search(desk.see("registry/token/").html)
    token = Token.objects.get(label="CI")
    assert token.digest not in desk.see(f"registry/token/{token.pk}/change/").html


def test_a_machine_account_can_be_the_owner(desk: Desk) -> None:
    User.objects.create_user("ci-bot")
    assert TEXT.search(issue(desk, owner="ci-bot", pattern="acme").html)
    assert last_event().actor == desk.user


def test_nobody_issues_a_token_that_acts_in_another_persons_name(desk: Desk) -> None:
    User.objects.create_user("bob", password="correct horse battery")
    answer = issue(desk, owner="bob")
    assert answer.status == 403
    assert "bob signs in with a password" in answer.text
    assert not Token.objects.exists()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"owner": "bos"}, "Owner : There is no account bos. Did you mean boss?"),
        ({"label": ""}, "Label : This field is required."),
        ({"scopes": []}, "Scopes : This field is required."),
        ({"scopes": ["everything"]}, "everything is not one of the available choices"),
        ({"pattern": "a b"}, "Names : a b is not a pattern of names."),
        ({"expires": "2001-01-01"}, "Last day : 2001-01-01 is in the past"),
        ({"expires": "soon"}, "Enter a valid date."),
    ],
)
def test_a_refused_token_keeps_what_was_typed(
    desk: Desk, changed: dict[str, Any], told: str
) -> None:
    answer = issue(desk, **changed)
    assert answer.status in {400, 422}
    assert told in answer.text
    for value in filter(None, changed.values()):
        assert f'value="{value}"' in answer.html or isinstance(value, list)
    assert not Token.objects.exists()


def test_it_is_good_until_the_end_of_its_last_day(desk: Desk) -> None:
    day = (timezone.now() + timedelta(days=2)).date()
    issue(desk, expires=day.isoformat())
    expires = Token.objects.get().expires
    assert expires == datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=UTC)


def test_revoking_is_for_ever(desk: Desk) -> None:
    issue(desk)
    token = Token.objects.get()
    answer = desk.send(f"registry/token/{token.pk}/revoke/")
    assert "is revoked." in answer.text
    assert f"registry/token/{token.pk}/revoke/" not in answer.html
    again = desk.send(f"registry/token/{token.pk}/revoke/")
    assert again.status == 409


def test_list_is_narrowed_by_state_and_owner(desk: Desk) -> None:
    made: Any = {"scopes": {Scope.PUBLISH}, "pattern": "*", "actor": Actor(desk.user)}
    tokens.issue_token(desk.user, label="good", **made)
    tokens.issue_token(desk.user, label="late", **made)
    Token.objects.filter(label="late").update(expires=timezone.now() - timedelta(days=1))
    gone = tokens.issue_token(desk.user, label="gone", **made)
    tokens.revoke_token(gone.split("_")[1], actor=Actor(desk.user))
    closed = User.objects.create_user("left", is_staff=True, is_active=False)
    tokens.issue_token(closed, label="left", **made)

    def labels(**narrowed: str) -> list[str]:
        return [row.split()[1] for row in desk.see("registry/token/", **narrowed).rows]

    assert labels(state="in force") == ["good"]
    assert labels(state="expired") == ["late"]
    assert labels(state="revoked") == ["gone"]
    assert labels(state="owner closed") == ["left"]
    assert labels(owner="left") == ["left"]


@pytest.mark.parametrize("lookup", ["digest__startswith", "digest", "owner__password__startswith"])
def test_nobody_asks_about_digests_and_passwords(desk: Desk, lookup: str) -> None:
    assert desk.see("registry/token/", **{lookup: "a"}).status == 400
