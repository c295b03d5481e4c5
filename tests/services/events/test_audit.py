"""The audit log has the value before and after every change."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from registry.domain.reference import Reference, Tag as TagName
from registry.models import Event, Namespace, Policy, Role, User
from registry.services.accounts import tokens, users
from registry.services.core.permissions import Actor, Scope
from registry.services.events import audit
from registry.services.events.audit import UNKEPT, ChangedValue
from registry.services.namespaces import members, namespaces
from registry.services.proposals import review, submission
from registry.services.tags import aliases, deprecation
from registry.services.versions import yanking
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
        members.grant_role(
            Namespace.objects.get(name="acme"), bob, role, actor=Actor.operator(alice)
        )


def taken_away(alice: User) -> None:
    granted(alice)
    bob = User.objects.get(username="bob")
    members.revoke_membership(Namespace.objects.get(name="acme"), bob, actor=Actor.operator(alice))


def described(alice: User) -> None:
    acme = Namespace.objects.get(name="acme")
    namespaces.update_description(
        acme, title="Acme", description="Boards.", url="", actor=Actor.operator(alice)
    )


def policy_set(alice: User) -> None:
    namespaces.set_policy(
        Namespace.objects.get(name="acme"), Policy.CURATORS, actor=Actor.operator(alice)
    )


def yanked(alice: User) -> None:
    publish("acme/a", BOARD)
    yank("acme/a@1.0.0")


def unyanked(alice: User) -> None:
    yanked(alice)
    yanking.unyank(Reference.parse("acme/a@1.0.0"), reason="right", actor=Actor.operator(alice))


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
    return submission.propose(tag, body, message="", base=None, actor=Actor.operator(alice)).pk


def accepted(alice: User) -> None:
    review.accept(proposed(alice), seen=1, actor=Actor.operator(alice))


def account_changed(alice: User) -> None:
    User.objects.create_superuser("root")  # somebody has to stay one
    users.update_user(
        User.objects.create_user("bob"),
        actor=Actor.operator(alice),
        rights=users.Rights(is_staff=True),
        first_name="Bob",
        last_name="",
        email="bob@example.org",
    )


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (repointed, [ChangedValue("points at", "acme/a", "acme/b")]),
        (granted, [ChangedValue("role", "member", "curator")]),
        (taken_away, [ChangedValue("role", "curator", None)]),
        (described, [ChangedValue("description", "", "Boards.")]),
        (policy_set, [ChangedValue("policy", "members", "curators")]),
        (yanked, [ChangedValue("status", "active", "yanked")]),
        (unyanked, [ChangedValue("status", "yanked", "active")]),
        (
            deprecated,
            [
                ChangedValue("status", "active", "deprecated"),
                ChangedValue("successor", None, "acme/b"),
            ],
        ),
        (
            undeprecated,
            [
                ChangedValue("status", "deprecated", "active"),
                ChangedValue("successor", "acme/b", None),
            ],
        ),
        (proposed, [ChangedValue("state", None, "open")]),
        (accepted, [ChangedValue("state", "open", "accepted")]),
    ],
)
def test_changes_have_old_and_new_values(
    alice: User, act: Act, expected: list[ChangedValue]
) -> None:
    act(alice)
    found = audit.changed_values(last_event())
    assert sorted(found, key=lambda each: each.name != "status") == expected


def test_account_changes_keep_rights_but_no_personal_values(alice: User) -> None:
    account_changed(alice)
    assert audit.changed_values(last_event()) == [
        ChangedValue("email", UNKEPT, UNKEPT),
        ChangedValue("first_name", UNKEPT, UNKEPT),
        ChangedValue("is_staff", False, True),
    ]
    assert "bob@example.org" not in last_event().detail
    assert "Bob" not in last_event().detail


def test_creating_something_is_no_change(alice: User) -> None:
    publish("acme/a", BOARD)
    assert audit.changed_values(last_event()) == []
    assert dict(audit.other_details(last_event()))["bump"] == "FIRST"


def test_events_of_older_releases_show_what_they_have(alice: User) -> None:
    event = Event(action="version.yanked", subject="acme/a@1.0.0", detail='{"reason": "wrong"}')
    assert audit.changed_values(event) == []
    assert audit.other_details(event) == [("reason", "wrong")]


def test_other_details_exclude_changes(alice: User) -> None:
    deprecated(alice)
    assert audit.other_details(last_event()) == [("reason", "old")]


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
def test_event_links_to_its_subject(alice: User, act: Act, row: str) -> None:
    act(alice)
    found = audit.subject_row(last_event())
    assert getattr(found, "exact", str(found)) == row


def test_proposal_event_links_to_the_proposal(alice: User) -> None:
    number = proposed(alice)
    found = audit.subject_row(last_event())
    assert found is not None
    assert found.pk == number


def test_token_event_links_to_the_token_without_its_digest(alice: User) -> None:
    tokens.issue_token(
        alice, label="CI", scopes={Scope.YANK}, pattern="acme", actor=Actor.operator(alice)
    )
    found = audit.subject_row(last_event())
    assert found is not None
    assert "digest" in found.get_deferred_fields()


def test_event_of_a_deleted_subject_has_no_link(alice: User) -> None:
    bob = User.objects.create_user("bob")
    User.objects.create_superuser("root")  # somebody has to stay one
    users.delete_user(bob, actor=Actor.operator(alice))
    assert audit.subject_row(last_event()) is None


def test_days_are_whole_and_in_utc(alice: User) -> None:
    publish("acme/a", BOARD)
    event = last_event()
    day = datetime.now(UTC).date()
    assert event in audit.since(audit.events(), day)
    assert event in audit.until(audit.events(), day)
    assert event in audit.until(audit.events(), date.max)
    assert event in audit.since(audit.events(), date.min)
    assert event not in audit.since(audit.events(), date.max)
    assert event not in audit.until(audit.events(), date(2020, 1, 1))
