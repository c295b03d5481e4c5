"""Issuing, storing and authenticating tokens; test_permissions tests their rights."""

import base64
import hashlib
import secrets
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.models import Event, Token, User
from registry.services.accounts import tokens, users
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def issue(owner: User, **changed: Any) -> str:
    arguments: dict[str, Any] = {
        "label": "ci",
        "scopes": {Scope.PUBLISH},
        "pattern": "acme",
        "actor": Actor(owner),
    }
    return tokens.issue_token(owner, **(arguments | changed))


def fault_pointers(owner: User, **changed: Any) -> list[str]:
    before = Token.objects.count(), Event.objects.count()
    with pytest.raises(Refused) as refused:
        issue(owner, **changed)
    assert refused.value.code == Code.REQUEST_INVALID
    assert (Token.objects.count(), Event.objects.count()) == before
    return [fault.pointer for fault in refused.value.faults]


def refusal(text: str) -> Refused:
    with pytest.raises(Refused) as refused:
        tokens.authenticate(text)
    return refused.value


def test_token_authenticates_its_owner(alice: User) -> None:
    actor = tokens.authenticate(issue(alice))
    assert (actor.user, actor.token) == (alice, Token.objects.get())


def test_text_has_a_public_prefix_and_256_secret_bits(alice: User) -> None:
    match = tokens.PATTERN.fullmatch(issue(alice))
    assert match
    assert match[1] == Token.objects.get().prefix
    assert len(base64.urlsafe_b64decode(match[2] + "=")) * 8 == 256
    assert issue(alice) != issue(alice)


def test_only_a_digest_of_the_secret_is_stored(alice: User) -> None:
    text = issue(alice)
    secret = text.split("_", 2)[2]
    stored = " ".join(str(value) for value in Token.objects.values().get().values())
    logged = " ".join(Event.objects.values_list("detail", flat=True))
    assert secret not in stored + logged
    assert Token.objects.get().digest == hashlib.sha256(text.encode()).hexdigest()


def test_secrets_are_compared_in_constant_time(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, comparisons = issue(alice), []

    def compare(left: str, right: str) -> bool:
        comparisons.append((left, right))
        return left == right

    monkeypatch.setattr(secrets, "compare_digest", compare)
    tokens.authenticate(text)
    refusal("ttr_" + "0" * 12 + text[16:])
    refusal("nonsense")
    assert len(comparisons) == 3


@pytest.mark.parametrize("text", ["", "ttr_", "ttr_abc_def", "hello", "ttr_" + "0" * 12 + "_x"])
def test_malformed_token_is_rejected(text: str) -> None:
    assert refusal(text).code == Code.UNAUTHENTICATED


def test_wrong_secret_and_unknown_prefix_get_the_same_error(alice: User) -> None:
    text = issue(alice)
    wrong = text[:-1] + ("A" if text[-1] != "A" else "B")
    unknown = "ttr_" + "0" * 12 + text[16:]
    assert refusal(wrong).detail == refusal(unknown).detail


def test_inactive_token_is_rejected(alice: User) -> None:
    text = issue(alice)
    Token.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert "expired" in refusal(text).detail
    Token.objects.update(expires=None, revoked=timezone.now())
    assert "revoked" in refusal(text).detail
    Token.objects.update(revoked=None)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert "closed" in refusal(text).detail


def test_last_use_is_updated_once_an_hour(alice: User) -> None:
    text = issue(alice)
    tokens.authenticate(text)
    with CaptureQueriesContext(connection) as captured:
        tokens.authenticate(text)
    assert len(captured) == 1
    Token.objects.update(last_used=timezone.now() - timedelta(hours=2))
    tokens.authenticate(text)
    assert timezone.now() - Token.objects.get().last_used < timedelta(minutes=1)  # type: ignore[operator]


@pytest.mark.parametrize(
    "pattern",
    [
        *("", "Acme", "acme/board", "acme/*/x", "*/x", "acme/", "/*", "**", "acme/**", "acme\n"),
        "acme/" + "x" * 180 + "/*",
    ],
)
def test_invalid_pattern_is_rejected(alice: User, pattern: str) -> None:
    assert fault_pointers(alice, pattern=pattern) == ["/pattern"]


def test_only_staff_can_use_the_pattern_of_everything(alice: User) -> None:
    assert fault_pointers(alice, pattern="*") == ["/pattern"]
    assert fault_pointers(alice, pattern="*", scopes=("propose", "yank")) == ["/pattern"]
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    assert tokens.authenticate(issue(alice, pattern="*")).user == alice


@pytest.mark.parametrize("scopes", [(), ("publsh",), ("publish", "everything"), ("*",)])
def test_unknown_scope_is_rejected(alice: User, scopes: tuple[str, ...]) -> None:
    assert fault_pointers(alice, scopes=scopes) == ["/scopes"]


def test_all_faults_of_a_token_are_reported_together(alice: User) -> None:
    wrong = {"label": "a\nb", "scopes": (), "pattern": "", "expires": timezone.now()}
    assert fault_pointers(alice, **wrong) == ["/label", "/scopes", "/pattern", "/expires"]


@pytest.mark.parametrize("label", ["", " ", "x" * 81, "bell \x07", "\u202eci"])
def test_label_must_be_a_single_line_of_text(alice: User, label: str) -> None:
    assert fault_pointers(alice, label=label) == ["/label"]


def test_event_of_issuing_names_the_issuer(alice: User) -> None:
    root = User.objects.create_user("root", is_staff=True)
    text = issue(alice, actor=Actor(root))
    event = Event.objects.latest("number")
    assert (event.action, event.subject, event.actor) == ("token.issued", text[4:16], root)
    assert '"alice"' in event.detail


def test_revoked_token_stays_revoked(alice: User) -> None:
    text = issue(alice)
    prefix = text.split("_")[1]
    tokens.revoke_token(prefix, actor=Actor(alice))
    assert "revoked" in refusal(text).detail
    assert Event.objects.order_by("-number")[0].action == "token.revoked"
    with pytest.raises(Refused) as refused:
        tokens.revoke_token(prefix, actor=Actor(alice))
    assert refused.value.code == Code.CONFLICT


@pytest.mark.parametrize(
    ("scopes", "days", "needs_password"),
    [({"propose"}, 1, False), ({"propose"}, None, True), ({"yank"}, 1, True), ({"admin"}, 1, True)],
)
def test_tokens_worth_stealing_need_a_confirmed_actor(
    scopes: set[str], days: int | None, needs_password: bool
) -> None:
    bob = users.sign_up("bob", password="correct horse battery")
    expires = timezone.now() + timedelta(days=days) if days else None
    values: Any = {"label": "CI", "scopes": scopes, "pattern": "acme", "expires": expires}
    assert tokens.needs_password(scopes, expires) is needs_password
    if needs_password:
        with pytest.raises(Refused, match="Enter your password again"):
            tokens.issue_token(bob, actor=Actor(bob), **values)
    else:
        tokens.issue_token(bob, actor=Actor(bob), **values)
    tokens.issue_token(bob, actor=Actor(bob, is_confirmed=True), **values)
    assert Token.objects.count() == 2 - needs_password
