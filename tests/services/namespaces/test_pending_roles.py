"""Under four-eyes, a new curator or owner waits for a second person; losing a role does not."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from registry.domain.errors import Code, Refused
from registry.models import (
    Membership,
    Namespace,
    NamespaceRequest,
    PendingChange,
    Policy,
    RequestState,
    Role,
    User,
)
from registry.services.accounts import closing, users
from registry.services.accounts.users import AccountRights
from registry.services.core.permissions import Actor
from registry.services.namespaces import four_eyes, members, namespaces, requests
from registry.services.tags import confirming
from tests.requests import claim
from tests.services.namespaces.conftest import detail, last_events

pytestmark = pytest.mark.django_db


@pytest.fixture
def carol(db: None) -> User:
    """Return somebody without a role."""
    return User.objects.create_user("carol")


def role(namespace: Namespace, user: User) -> str:
    """Return the role of a user; empty for none."""
    membership = Membership.objects.filter(namespace=namespace, user=user).first()
    return membership.role if membership else ""


def pending() -> int:
    """Return the number of the only pending change."""
    return PendingChange.objects.get().pk


def refused(code: Code, call: Callable[..., object], *args: Any, **kwargs: Any) -> str:
    """Assert that a call is refused with a code; return the message."""
    with pytest.raises(Refused) as refusal:
        call(*args, **kwargs)
    assert refusal.value.code is code
    return refusal.value.detail


@pytest.mark.parametrize(
    ("before", "after", "waits"),
    [
        ("", "member", False),
        ("", "curator", True),
        ("", "owner", True),
        ("member", "curator", True),
        ("member", "owner", True),
        ("curator", "owner", True),
        ("curator", "member", False),
        ("owner", "curator", False),
        ("owner", "member", False),
    ],
)
def test_only_a_role_that_decides_waits(
    strict: Namespace, carol: User, before: str, after: str, waits: bool
) -> None:
    alice = User.objects.get(username="alice")
    if before:
        members.grant_role(strict, carol, Role(before), actor=Actor.operator(alice))
    granted = members.grant_role(strict, carol, Role(after), actor=Actor(alice))
    assert (granted is None) is waits
    assert role(strict, carol) == (before if waits else after)
    assert PendingChange.objects.exists() is waits


@pytest.mark.parametrize("policy", [Policy.MEMBERS, Policy.CURATORS])
def test_other_policies_grant_roles_at_once(
    acme: Namespace, alice: User, carol: User, policy: Policy
) -> None:
    namespaces.set_policy(acme, policy, actor=Actor(alice))
    for new in (Role.CURATOR, Role.OWNER):
        assert members.grant_role(acme, carol, new, actor=Actor(alice))
        assert role(acme, carol) == new


def test_curator_confirms_what_an_owner_requested(
    strict: Namespace, alice: User, bob: User, carol: User
) -> None:
    members.grant_role(strict, carol, Role.CURATOR, actor=Actor(alice))
    assert last_events(1) == [("change.requested", "alice")]
    assert detail() == {"kind": "role", "user": "carol", "before": None, "after": "curator"}
    confirming.confirm_change(pending(), actor=Actor(bob))
    assert role(strict, carol) == Role.CURATOR
    assert last_events(1) == [("member.granted", "bob")]
    assert detail() == {
        "user": "carol",
        "role": "curator",
        "before": None,
        "requested_by": "alice",
    }
    assert not PendingChange.objects.exists()


def test_second_owner_confirms_by_granting_the_same_role(
    strict: Namespace, alice: User, carol: User
) -> None:
    olga = User.objects.create_user("olga")
    members.grant_role(strict, olga, Role.OWNER, actor=Actor.operator(alice))
    members.grant_role(strict, carol, Role.CURATOR, actor=Actor(alice))
    assert members.grant_role(strict, carol, Role.OWNER, actor=Actor(olga)) is None, "another role"
    assert members.grant_role(strict, carol, Role.OWNER, actor=Actor(alice))
    assert role(strict, carol) == Role.OWNER


def test_roles_of_two_people_wait_side_by_side(
    strict: Namespace, alice: User, bob: User, carol: User
) -> None:
    dave = User.objects.create_user("dave")
    for user in (carol, dave):
        members.grant_role(strict, user, Role.CURATOR, actor=Actor(alice))
    namespaces.set_policy(strict, Policy.CURATORS, actor=Actor(alice))
    changes = four_eyes.list_pending(strict)
    assert [change.member for change in changes] == [carol, dave, None]
    confirming.confirm_change(changes[1].pk, actor=Actor(bob))
    assert (role(strict, carol), role(strict, dave)) == ("", "curator")


@pytest.mark.usefixtures("strict")
def test_only_who_may_review_confirms(acme: Namespace, alice: User, carol: User) -> None:
    members.grant_role(acme, carol, Role.MEMBER, actor=Actor(alice))
    members.grant_role(acme, carol, Role.CURATOR, actor=Actor(alice))
    stranger = User.objects.create_user("stranger")
    for user in (alice, carol, stranger):
        refused(Code.FORBIDDEN, confirming.confirm_change, pending(), actor=Actor(user))
    assert role(acme, carol) == Role.MEMBER


def test_request_that_is_discarded_grants_nothing(
    strict: Namespace, alice: User, bob: User, carol: User
) -> None:
    members.grant_role(strict, carol, Role.CURATOR, actor=Actor(alice))
    number = pending()
    four_eyes.discard_change(number, actor=Actor(bob))
    assert detail() == {"kind": "role", "user": "carol", "before": None, "after": "curator"}
    refused(Code.CONFLICT, confirming.confirm_change, number, actor=Actor(bob))
    assert role(strict, carol) == ""


def demote(namespace: Namespace, user: User) -> None:
    operator = Actor.operator(user)
    helper = User.objects.create_user("helper")
    members.grant_role(namespace, helper, Role.OWNER, actor=operator)
    members.grant_role(namespace, user, Role.CURATOR, actor=operator)


def revoke(namespace: Namespace, user: User) -> None:
    demote(namespace, user)
    members.revoke_membership(namespace, user, actor=Actor.operator(user))


def deactivate(_: Namespace, user: User) -> None:
    boss = User.objects.create_superuser("boss")
    texts = {"first_name": "", "last_name": "", "email": ""}
    users.update_user(user, rights=AccountRights(is_active=False), actor=Actor(boss), **texts)


@pytest.mark.parametrize("lose", [demote, revoke, deactivate])
def test_request_is_void_once_its_author_is_no_owner(
    strict: Namespace,
    alice: User,
    bob: User,
    carol: User,
    lose: Callable[[Namespace, User], None],
) -> None:
    members.grant_role(strict, carol, Role.CURATOR, actor=Actor(alice))
    lose(strict, alice)
    detail = refused(Code.CONFLICT, confirming.confirm_change, pending(), actor=Actor(bob))
    assert "alice may no longer request this change" in detail
    assert role(strict, carol) == ""


def test_confirmer_who_lost_the_role_confirms_nothing(
    strict: Namespace, alice: User, bob: User, carol: User
) -> None:
    members.grant_role(strict, carol, Role.CURATOR, actor=Actor(alice))
    members.revoke_membership(strict, bob, actor=Actor(alice))
    refused(Code.FORBIDDEN, confirming.confirm_change, pending(), actor=Actor(bob))


@pytest.mark.parametrize("other", [Role.OWNER, Role.CURATOR, None])
def test_request_ends_once_the_role_has_changed(
    strict: Namespace, alice: User, bob: User, carol: User, other: Role | None
) -> None:
    members.grant_role(strict, carol, Role.MEMBER, actor=Actor(alice))
    members.grant_role(strict, carol, Role.CURATOR, actor=Actor(alice))
    number = pending()
    if other:
        members.grant_role(strict, carol, other, actor=Actor.operator(alice))
    else:
        members.revoke_membership(strict, carol, actor=Actor(alice))
    refused(Code.CONFLICT, confirming.confirm_change, number, actor=Actor(bob))
    assert role(strict, carol) == (other or "")


def test_closed_account_gets_no_role(
    strict: Namespace, alice: User, bob: User, carol: User
) -> None:
    members.grant_role(strict, carol, Role.CURATOR, actor=Actor(alice))
    closing.close_account(actor=Actor(carol))
    refused(Code.CONFLICT, confirming.confirm_change, pending(), actor=Actor(bob))
    carol.refresh_from_db()
    for grant in (Role.CURATOR, Role.OWNER):
        message = refused(
            Code.CONFLICT, members.grant_role, strict, carol, grant, actor=Actor(alice)
        )
        assert "is closed" in message
    assert role(strict, carol) == ""


def test_request_follows_the_account_not_its_name(
    strict: Namespace, alice: User, bob: User
) -> None:
    boss = User.objects.create_superuser("boss")
    dave = User.objects.create_user("dave")
    members.grant_role(strict, dave, Role.CURATOR, actor=Actor(alice))
    number = pending()
    users.delete_user(dave, actor=Actor(boss))
    other = User.objects.create_user("dave")
    refused(Code.CONFLICT, confirming.confirm_change, number, actor=Actor(bob))
    assert role(strict, other) == ""


def test_leaving_four_eyes_ends_the_requests(
    strict: Namespace, alice: User, bob: User, carol: User
) -> None:
    members.grant_role(strict, carol, Role.CURATOR, actor=Actor(alice))
    namespaces.set_policy(strict, Policy.CURATORS, actor=Actor(alice))
    confirming.confirm_change(PendingChange.objects.get(kind="policy").pk, actor=Actor(bob))
    assert not PendingChange.objects.exists()
    assert members.grant_role(strict, carol, Role.CURATOR, actor=Actor(alice))


# A namespace with too few people grows again.


def test_sole_owner_grows_with_staff(
    strict: Namespace, alice: User, bob: User, carol: User, staff: User
) -> None:
    members.revoke_membership(strict, bob, actor=Actor(alice))
    assert members.grant_role(strict, carol, Role.CURATOR, actor=Actor(alice)) is None
    confirming.confirm_change(pending(), actor=Actor(staff))
    assert role(strict, carol) == Role.CURATOR
    assert last_events(2) == [
        ("namespace.staff_confirmed", "staff"),
        ("member.granted", "staff"),
    ]


def test_staff_alone_adds_nobody(strict: Namespace, bob: User, carol: User, staff: User) -> None:
    for _ in range(2):
        assert members.grant_role(strict, carol, Role.CURATOR, actor=Actor(staff)) is None
    refused(Code.FORBIDDEN, confirming.confirm_change, pending(), actor=Actor(staff))
    confirming.confirm_change(pending(), actor=Actor(bob))
    assert role(strict, carol) == Role.CURATOR


def test_operator_adds_an_owner_where_nobody_could_confirm(
    strict: Namespace, alice: User, bob: User
) -> None:
    members.revoke_membership(strict, bob, actor=Actor(alice))
    call_command("bootstrap", "carol", "acme")
    assert role(strict, User.objects.get(username="carol")) == Role.OWNER
    assert last_events(2)[0] == ("member.granted", "carol")


# A claim that staff accepts makes an owner, too.


@pytest.fixture
def claimed(strict: Namespace, carol: User, staff: User) -> NamespaceRequest:
    """Return a claim of Carol's that staff has accepted."""
    request = claim("acme", carol)
    requests.accept(request.pk, actor=Actor(staff))
    request.refresh_from_db()
    assert (request.state, role(strict, carol)) == (RequestState.OPEN, "")
    return request


def test_claim_is_accepted_by_two_of_staff(
    strict: Namespace, carol: User, staff: User, claimed: NamespaceRequest
) -> None:
    requests.accept(claimed.pk, actor=Actor(staff))
    assert role(strict, carol) == "", "the same person twice"
    other = User.objects.create_user("other", is_staff=True)
    requests.accept(claimed.pk, text="The file names carol.", actor=Actor(other))
    claimed.refresh_from_db()
    assert (claimed.state, claimed.decider) == (RequestState.ACCEPTED, other)
    assert role(strict, carol) == Role.OWNER


def test_claim_is_accepted_by_staff_after_a_curator_has_confirmed(
    strict: Namespace, bob: User, carol: User, staff: User, claimed: NamespaceRequest
) -> None:
    confirming.confirm_change(pending(), actor=Actor(bob))
    assert role(strict, carol) == Role.OWNER
    requests.accept(claimed.pk, actor=Actor(staff))
    claimed.refresh_from_db()
    assert claimed.state == RequestState.ACCEPTED


def test_claim_can_still_be_rejected(
    strict: Namespace, carol: User, staff: User, claimed: NamespaceRequest
) -> None:
    requests.reject(claimed.pk, text="The file is gone.", actor=Actor(staff))
    claimed.refresh_from_db()
    assert claimed.state == RequestState.REJECTED
    assert not PendingChange.objects.exists(), "nobody can still confirm it"


def test_claim_that_staff_had_accepted_can_be_withdrawn(
    carol: User, claimed: NamespaceRequest
) -> None:
    requests.withdraw(claimed.pk, actor=Actor(carol))
    assert not PendingChange.objects.exists(), "nobody can still confirm it"


@pytest.mark.parametrize("wanted", [Role.CURATOR, Role.OWNER])
def test_claim_that_ends_leaves_the_role_that_an_owner_requested(
    strict: Namespace, alice: User, carol: User, staff: User, wanted: Role
) -> None:
    members.grant_role(strict, carol, wanted, actor=Actor(alice))
    requests.withdraw(claim("acme", carol).pk, actor=Actor(carol))
    requests.reject(claim("acme", carol).pk, text="Ask alice.", actor=Actor(staff))
    change = PendingChange.objects.get()
    assert (change.member, change.after, change.requested_by) == (carol, wanted, alice)


def test_claim_that_ends_leaves_what_waits_for_others(
    strict: Namespace, carol: User, staff: User, claimed: NamespaceRequest
) -> None:
    dave = User.objects.create_user("dave")
    members.grant_role(strict, dave, Role.OWNER, actor=Actor(staff))
    requests.withdraw(claimed.pk, actor=Actor(carol))
    assert PendingChange.objects.get().member == dave
