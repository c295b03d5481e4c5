"""Tokens and what they allow."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag
from registry.models import Event, Namespace, Role, Token, User
from registry.services import naming, permissions, tokens
from registry.services.permissions import Action, Actor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def issue(
    owner: User, pattern: str = "acme", scopes: tuple[Action, ...] = (Action.PUBLISH,)
) -> str:
    return tokens.issue(owner, label="ci", scopes=set(scopes), pattern=pattern, actor=owner)


def refusal(text: str) -> Refused:
    with pytest.raises(Refused) as refused:
        tokens.authenticate(text)
    return refused.value


def test_token_speaks_for_its_owner(alice: User) -> None:
    actor = tokens.authenticate(issue(alice))
    assert (actor.user, actor.token) == (alice, Token.objects.get())


def test_secret_is_not_kept(alice: User) -> None:
    text = issue(alice)
    secret = text.rpartition("_")[2] if text.count("_") == 2 else text[17:]
    kept = " ".join(str(value) for value in Token.objects.values().get().values())
    assert secret not in kept


@pytest.mark.parametrize("text", ["", "ttr_", "ttr_abc_def", "hello", "ttr_" + "0" * 12 + "_x"])
def test_what_is_no_token_is_refused(text: str) -> None:
    assert refusal(text).code == Code.UNAUTHENTICATED


def test_wrong_secret_is_refused_as_an_unknown_one_is(alice: User) -> None:
    text = issue(alice)
    wrong = text[:-1] + ("A" if text[-1] != "A" else "B")
    unknown = "ttr_" + "0" * 12 + text[16:]
    assert refusal(wrong).detail == refusal(unknown).detail


def test_token_out_of_force_is_refused(alice: User) -> None:
    text = issue(alice)
    Token.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert "expired" in refusal(text).detail
    Token.objects.update(expires=None, revoked=timezone.now())
    assert "revoked" in refusal(text).detail
    Token.objects.update(revoked=None)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert "closed" in refusal(text).detail


def test_last_use_is_written_once_an_hour(alice: User) -> None:
    text = issue(alice)
    tokens.authenticate(text)
    with CaptureQueriesContext(connection) as captured:
        tokens.authenticate(text)
    assert len(captured) == 1
    Token.objects.update(last_used=timezone.now() - timedelta(hours=2))
    tokens.authenticate(text)
    assert timezone.now() - Token.objects.get().last_used < timedelta(minutes=1)  # type: ignore[operator]


@pytest.mark.parametrize("pattern", ["", "Acme", "acme/board", "acme/*/x", "*/x", "acme/", "/*"])
def test_pattern_that_is_none_is_refused(alice: User, pattern: str) -> None:
    with pytest.raises(Refused) as refused:
        issue(alice, pattern)
    assert refused.value.code == Code.REQUEST_INVALID


def test_token_without_scopes_is_refused(alice: User) -> None:
    with pytest.raises(Refused):
        issue(alice, scopes=())


@pytest.mark.parametrize(
    ("pattern", "tag", "covered"),
    [
        ("acme", "acme/board", True),
        ("acme", "acme/boards/x:y", True),
        ("acme", "acme2/board", False),
        ("acme/boards/*", "acme/boards/x", True),
        ("acme/boards/*", "acme/boards", False),
        ("acme/boards/*", "acme/boards2/x", False),
        ("*", "other/board", True),
    ],
)
def test_pattern_covers(pattern: str, tag: str, *, covered: bool) -> None:
    assert tokens.is_pattern(pattern)
    assert permissions.covers(pattern, Tag.parse(tag)) is covered


def demand(actor: Actor | None, tag: str = "acme/board") -> str:
    try:
        permissions.demand(actor, Action.PUBLISH, Tag.parse(tag))
    except Refused as refused:
        return refused.code
    return "allowed"


@pytest.mark.parametrize("role", Role)
def test_every_member_of_the_namespace_publishes(acme: Namespace, role: Role) -> None:
    bob = User.objects.create_user("bob")
    assert demand(Actor(bob)) == "FORBIDDEN"
    naming.grant(acme, bob, role, actor=bob)
    assert demand(Actor(bob)) == "allowed"
    assert demand(Actor(bob), "nvidia/board") == "FORBIDDEN"


def test_staff_publishes_everywhere() -> None:
    assert demand(Actor(User.objects.create_user("root", is_staff=True)), "nvidia/x") == "allowed"


def test_nobody_is_unauthenticated() -> None:
    assert demand(None) == "UNAUTHENTICATED"


def test_token_narrows_what_its_owner_may_do(alice: User) -> None:
    assert demand(tokens.authenticate(issue(alice))) == "allowed"
    assert demand(tokens.authenticate(issue(alice, "acme/boards/*"))) == "FORBIDDEN"
    assert demand(tokens.authenticate(issue(alice, "nvidia"))) == "FORBIDDEN"
    yanker = issue(alice, scopes=(Action.YANK,))
    assert demand(tokens.authenticate(yanker)) == "FORBIDDEN"


def test_token_does_not_outlive_its_owners_rights(alice: User, acme: Namespace) -> None:
    actor = tokens.authenticate(issue(alice))
    acme.memberships.all().delete()
    assert demand(actor) == "FORBIDDEN"


def test_revoked_token_is_out_of_force_for_ever(alice: User) -> None:
    text = issue(alice)
    prefix = text.split("_")[1]
    tokens.revoke(prefix)
    assert "revoked" in refusal(text).detail
    assert Event.objects.order_by("-number")[0].action == "token.revoked"
    with pytest.raises(Refused) as refused:
        tokens.revoke(prefix)
    assert refused.value.code == Code.CONFLICT
