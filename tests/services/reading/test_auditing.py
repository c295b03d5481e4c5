"""The log as auditors read it: every change has what was before, and what is after."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from registry.domain.reference import Reference, Tag as TagName
from registry.models import Event, Namespace, Policy, Role, User
from registry.services import accounts, aliases, deprecation, members, naming, tokens, withdrawing
from registry.services.permissions import Actor, Scope
from registry.services.reading import auditing
from registry.services.reading.auditing import UNKEPT, Changed
from registry.services.reviewing import deciding, proposing
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
Act = Callable[[User], Any]


def last_event() -> Event:
    return Event.objects.latest("number")


def repointed(alice: User) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD | {"num-cores": 2})
    for name in ("acme/a", "acme/b"):
        aliases.point_alias("acme/plank", Reference.parse(name), actor=Actor.operator(alice))


def granted(alice: User) -> None:
    bob = User.objects.create_user("bob")
    for role in (Role.MEMBER, Role.CURATOR):
        members.grant(Namespace.objects.get(name="acme"), bob, role, actor=Actor.operator(alice))


def taken_away(alice: User) -> None:
    granted(alice)
    bob = User.objects.get(username="bob")
    members.revoke_membership(Namespace.objects.get(name="acme"), bob, actor=Actor.operator(alice))


def described(alice: User) -> None:
    acme = Namespace.objects.get(name="acme")
    naming.describe_namespace(
        acme, title="Acme", description="Boards.", url="", actor=Actor.operator(alice)
    )


def policy_set(alice: User) -> None:
    naming.set_policy(
        Namespace.objects.get(name="acme"), Policy.CURATORS, actor=Actor.operator(alice)
    )


def yanked(alice: User) -> None:
    publish("acme/a", BOARD)
    yank("acme/a@1.0.0")


def unyanked(alice: User) -> None:
    yanked(alice)
    withdrawing.unyank(Reference.parse("acme/a@1.0.0"), reason="right", actor=Actor.operator(alice))


def deprecated(alice: User) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD | {"num-cores": 2})
    successor = TagName.parse("acme/b")
    deprecation.deprecate(
        TagName.parse("acme/a"), reason="old", successor=successor, actor=Actor.operator(alice)
    )


def undeprecated(alice: User) -> None:
    deprecated(alice)
    deprecation.undeprecate(TagName.parse("acme/a"), reason="young", actor=Actor.operator(alice))


def proposed(alice: User) -> int:
    tag, body = TagName.parse("acme/new"), json.dumps(BOARD | {"num-cores": 77})
    return proposing.propose(tag, body, message="", base=None, actor=Actor.operator(alice)).pk


def accepted(alice: User) -> None:
    deciding.accept(proposed(alice), seen=1, actor=Actor.operator(alice))


def account_changed(alice: User) -> None:
    User.objects.create_superuser("root")  # somebody has to stay one
    accounts.change(
        User.objects.create_user("bob"),
        actor=Actor.operator(alice),
        rights=accounts.Rights(is_staff=True),
        first_name="Bob",
        last_name="",
        email="bob@example.org",
    )


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (repointed, [Changed("points at", "acme/a", "acme/b")]),
        (granted, [Changed("role", "member", "curator")]),
        (taken_away, [Changed("role", "curator", None)]),
        (described, [Changed("description", "", "Boards.")]),
        (policy_set, [Changed("policy", "members", "curators")]),
        (yanked, [Changed("status", "active", "yanked")]),
        (unyanked, [Changed("status", "yanked", "active")]),
        (
            deprecated,
            [Changed("status", "active", "deprecated"), Changed("successor", None, "acme/b")],
        ),
        (
            undeprecated,
            [Changed("status", "deprecated", "active"), Changed("successor", "acme/b", None)],
        ),
        (proposed, [Changed("state", None, "open")]),
        (accepted, [Changed("state", "open", "accepted")]),
    ],
)
def test_what_changes_is_kept_from_what_into_what(
    alice: User, act: Act, expected: list[Changed]
) -> None:
    act(alice)
    found = auditing.changed(last_event())
    assert sorted(found, key=lambda each: each.name != "status") == expected


def test_of_accounts_the_log_keeps_rights_and_no_personal_values(alice: User) -> None:
    account_changed(alice)
    assert auditing.changed(last_event()) == [
        Changed("email", UNKEPT, UNKEPT),
        Changed("first_name", UNKEPT, UNKEPT),
        Changed("is_staff", False, True),
    ]
    assert "bob@example.org" not in last_event().detail
    assert "Bob" not in last_event().detail


def test_what_only_makes_something_changes_nothing(alice: User) -> None:
    publish("acme/a", BOARD)
    assert auditing.changed(last_event()) == []
    assert dict(auditing.besides(last_event()))["bump"] == "FIRST"


def test_events_of_older_releases_say_what_they_hold(alice: User) -> None:
    event = Event(action="version.yanked", subject="acme/a@1.0.0", detail='{"reason": "wrong"}')
    assert auditing.changed(event) == []
    assert auditing.besides(event) == [("reason", "wrong")]


def test_the_rest_of_an_event_leaves_out_what_changed(alice: User) -> None:
    deprecated(alice)
    assert auditing.besides(last_event()) == [("reason", "old")]


@pytest.mark.parametrize(
    ("act", "row"),
    [
        (repointed, "acme/plank"),
        (described, "acme"),
        (granted, "acme"),
        (yanked, "acme/a@1.0.0"),
        (deprecated, "acme/a"),
        (account_changed, "bob"),
    ],
)
def test_an_event_leads_to_what_it_is_about(alice: User, act: Act, row: str) -> None:
    act(alice)
    found = auditing.subject(last_event())
    assert getattr(found, "exact", str(found)) == row


def test_an_event_of_a_proposal_leads_to_it(alice: User) -> None:
    number = proposed(alice)
    found = auditing.subject(last_event())
    assert found is not None
    assert found.pk == number


def test_an_event_of_a_token_leads_to_it_without_its_digest(alice: User) -> None:
    tokens.issue(
        alice, label="CI", scopes={Scope.YANK}, pattern="acme", actor=Actor.operator(alice)
    )
    found = auditing.subject(last_event())
    assert found is not None
    assert "digest" in found.get_deferred_fields()


def test_what_is_gone_leads_nowhere(alice: User) -> None:
    bob = User.objects.create_user("bob")
    User.objects.create_superuser("root")  # somebody has to stay one
    accounts.delete(bob, actor=Actor.operator(alice))
    assert auditing.subject(last_event()) is None


def test_days_are_whole_and_in_utc(alice: User) -> None:
    publish("acme/a", BOARD)
    event = last_event()
    day = datetime.now(UTC).date()
    assert event in auditing.since(auditing.events(), day)
    assert event in auditing.until(auditing.events(), day)
    assert event in auditing.until(auditing.events(), date.max)
    assert event in auditing.since(auditing.events(), date.min)
    assert event not in auditing.since(auditing.events(), date.max)
    assert event not in auditing.until(auditing.events(), date(2020, 1, 1))
