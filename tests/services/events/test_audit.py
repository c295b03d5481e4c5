"""The audit log has the value before and after every change."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from registry.domain.reference import Reference, Tag as TagName
from registry.models import Event, Namespace, Policy, Role, User
from registry.services.accounts import tokens, users
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.events import audit
from registry.services.events.audit import NOT_LOGGED, ChangedValue
from registry.services.namespaces import members, namespaces
from registry.services.proposals import review, submission
from registry.services.tags import aliases, deprecation
from registry.services.versions import families, yanking
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
Write = Callable[[User], Any]


def last_event() -> Event:
    return Event.objects.latest("number")


def repoint_alias(alice: User) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD | {"num-cores": 2})
    for name in ("acme/a", "acme/b"):
        aliases.point_alias("acme/plank", Reference.parse(name), actor=Actor.operator(alice))


def grant_roles(alice: User) -> None:
    bob = User.objects.create_user("bob")
    for role in (Role.MEMBER, Role.CURATOR):
        members.grant_role(
            Namespace.objects.get(name="acme"), bob, role, actor=Actor.operator(alice)
        )


def revoke_role(alice: User) -> None:
    grant_roles(alice)
    bob = User.objects.get(username="bob")
    members.revoke_membership(Namespace.objects.get(name="acme"), bob, actor=Actor.operator(alice))


def describe_namespace(alice: User) -> None:
    acme = Namespace.objects.get(name="acme")
    namespaces.update_description(
        acme, title="Acme", description="Boards.", url="", actor=Actor.operator(alice)
    )


def set_policy(alice: User) -> None:
    namespaces.set_policy(
        Namespace.objects.get(name="acme"), Policy.CURATORS, actor=Actor.operator(alice)
    )


def yank_version(alice: User) -> None:
    publish("acme/a", BOARD)
    yank("acme/a@1.0.0")


def unyank_version(alice: User) -> None:
    yank_version(alice)
    yanking.unyank(Reference.parse("acme/a@1.0.0"), reason="right", actor=Actor.operator(alice))


def deprecate_tag(alice: User) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD | {"num-cores": 2})
    successor = TagName.parse("acme/b")
    deprecation.deprecate(
        TagName.parse("acme/a"), reason="old", successor=successor, actor=Actor.operator(alice)
    )


def mark_family(alice: User) -> None:
    publish("acme/a", BOARD)
    families.set_family(TagName.parse("acme/a"), is_family=True, actor=Actor.operator(alice))


def undeprecate_tag(alice: User) -> None:
    deprecate_tag(alice)
    deprecation.undeprecate(TagName.parse("acme/a"), reason="young", actor=Actor.operator(alice))


def propose(alice: User) -> int:
    tag, body = TagName.parse("acme/new"), json.dumps(BOARD | {"num-cores": 77})
    return submission.propose(tag, body, message="", base=None, actor=Actor.operator(alice)).pk


def accept_proposal(alice: User) -> None:
    review.accept(propose(alice), seen=1, actor=Actor.operator(alice))


def change_account(alice: User) -> None:
    User.objects.create_superuser("root")  # one has to remain
    users.update_user(
        User.objects.create_user("bob"),
        actor=Actor.operator(alice),
        rights=users.AccountRights(is_staff=True),
        first_name="Bob",
        last_name="",
        email="bob@example.org",
    )


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (repoint_alias, [ChangedValue("points at", "acme/a", "acme/b")]),
        (grant_roles, [ChangedValue("role", "member", "curator")]),
        (revoke_role, [ChangedValue("role", "curator", None)]),
        (describe_namespace, [ChangedValue("description", "", "Boards.")]),
        (set_policy, [ChangedValue("policy", "members", "curators")]),
        (yank_version, [ChangedValue("status", "active", "yanked")]),
        (unyank_version, [ChangedValue("status", "yanked", "active")]),
        (
            deprecate_tag,
            [
                ChangedValue("status", "active", "deprecated"),
                ChangedValue("successor", None, "acme/b"),
            ],
        ),
        (
            undeprecate_tag,
            [
                ChangedValue("status", "deprecated", "active"),
                ChangedValue("successor", "acme/b", None),
            ],
        ),
        (mark_family, [ChangedValue("family", False, True)]),
        (propose, [ChangedValue("state", None, "open")]),
        (accept_proposal, [ChangedValue("state", "open", "accepted")]),
    ],
)
def test_changes_have_old_and_new_values(
    alice: User, write: Write, expected: list[ChangedValue]
) -> None:
    write(alice)
    changes = audit.changed_values(last_event())
    assert sorted(changes, key=lambda change: change.name != "status") == expected


def test_account_changes_log_rights_but_no_personal_data(alice: User) -> None:
    change_account(alice)
    assert audit.changed_values(last_event()) == [
        ChangedValue("email", NOT_LOGGED, NOT_LOGGED),
        ChangedValue("first_name", NOT_LOGGED, NOT_LOGGED),
        ChangedValue("is_staff", False, True),
    ]
    assert "bob@example.org" not in last_event().detail
    assert "Bob" not in last_event().detail


def test_creation_has_no_changed_values(alice: User) -> None:
    publish("acme/a", BOARD)
    assert audit.changed_values(last_event()) == []
    assert dict(audit.other_details(last_event()))["bump"] == "FIRST"


def test_events_of_older_releases_may_lack_values(alice: User) -> None:
    event = Event(action="version.yanked", subject="acme/a@1.0.0", detail='{"reason": "wrong"}')
    assert audit.changed_values(event) == []
    assert audit.other_details(event) == [("reason", "wrong")]


def test_other_details_exclude_changes(alice: User) -> None:
    deprecate_tag(alice)
    assert audit.other_details(last_event()) == [("reason", "old")]


@pytest.mark.parametrize(
    ("write", "row"),
    [
        (repoint_alias, "acme/plank"),
        (describe_namespace, "acme"),
        (grant_roles, "acme"),
        (yank_version, "acme/a@1.0.0"),
        (deprecate_tag, "acme/a"),
        (change_account, "bob"),
    ],
)
def test_event_links_to_its_subject(alice: User, write: Write, row: str) -> None:
    write(alice)
    subject = audit.subject_row(last_event())
    assert getattr(subject, "exact", str(subject)) == row


def test_proposal_event_links_to_the_proposal(alice: User) -> None:
    number = propose(alice)
    subject = audit.subject_row(last_event())
    assert subject is not None
    assert subject.pk == number


def test_token_event_links_to_the_token_without_its_digest(alice: User) -> None:
    tokens.issue_token(
        alice, label="CI", scopes={Scope.YANK}, pattern="acme", actor=Actor.operator(alice)
    )
    subject = audit.subject_row(last_event())
    assert subject is not None
    assert "digest" in subject.get_deferred_fields()


def test_event_of_a_deleted_subject_has_no_link(alice: User) -> None:
    bob = User.objects.create_user("bob")
    User.objects.create_superuser("root")  # one has to remain
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
