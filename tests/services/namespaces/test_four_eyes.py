"""Four-eyes for aliases and for the policy: a second person confirms what another requested."""

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import Event, Membership, Name, Namespace, PendingChange, Policy, Role, User
from registry.services.accounts import closing, users
from registry.services.accounts.users import AccountRights
from registry.services.core.permissions import Actor
from registry.services.namespaces import four_eyes, members, namespaces
from registry.services.proposals import review
from registry.services.tags import aliases, confirming, renaming
from tests.publishing import propose, publish
from tests.services.namespaces.conftest import detail, last_events

pytestmark = pytest.mark.django_db
BOARD, OTHER = Reference.parse("acme/board"), Reference.parse("acme/other@1")


@pytest.fixture(autouse=True)
def two_tags(acme: Namespace) -> None:
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    publish("acme/other", {"kind": "llvm", "mcpu": "skylake"})


def target(text: str) -> str:
    alias = Name.objects.select_related("tag").filter(text=text).first()
    return str(Reference(alias.tag.text, alias.selector)) if alias else ""


def policy(namespace: Namespace) -> str:
    return Namespace.objects.get(pk=namespace.pk).policy


@pytest.mark.usefixtures("strict")
def test_new_alias_waits_for_a_second_curator(alice: User, bob: User) -> None:
    requested = aliases.point_alias("acme/x", BOARD, actor=Actor(alice))
    assert (requested.is_pending, requested.is_new, requested.reference) == (True, False, BOARD)
    assert target("acme/x") == ""
    assert last_events(1) == [("change.requested", "alice")]
    assert detail() == {"kind": "alias", "before": None, "after": "acme/board"}
    confirmed = aliases.point_alias("acme/x", BOARD, actor=Actor(bob))
    assert (confirmed.is_pending, confirmed.is_new) == (False, True)
    assert target("acme/x") == "acme/board"
    assert last_events(1) == [("alias.pointed", "bob")]
    assert detail() == {"to": "acme/board", "was": None, "requested_by": "alice"}
    assert not PendingChange.objects.exists()


@pytest.mark.usefixtures("strict")
def test_repointing_waits_for_a_second_curator(alice: User, bob: User) -> None:
    aliases.point_alias("acme/x", BOARD, actor=Actor.operator(alice))
    assert aliases.point_alias("acme/x", OTHER, actor=Actor(bob)).is_pending
    assert target("acme/x") == "acme/board"
    assert not aliases.point_alias("acme/x", OTHER, actor=Actor(alice)).is_pending
    assert target("acme/x") == "acme/other@1"


@pytest.mark.usefixtures("strict", "bob")
def test_asking_twice_confirms_nothing(alice: User) -> None:
    for _ in range(2):
        assert aliases.point_alias("acme/x", BOARD, actor=Actor(alice)).is_pending
    assert Event.objects.filter(action="change.requested").count() == 1


@pytest.mark.usefixtures("strict")
def test_another_target_is_another_request(alice: User, bob: User) -> None:
    aliases.point_alias("acme/x", BOARD, actor=Actor(alice))
    assert aliases.point_alias("acme/x", OTHER, actor=Actor(bob)).is_pending
    change = PendingChange.objects.get()
    assert (change.after, change.requested_by) == ("acme/other@1", bob)


@pytest.mark.usefixtures("strict")
def test_request_is_void_once_the_alias_has_moved(alice: User, bob: User) -> None:
    aliases.point_alias("acme/x", BOARD, actor=Actor.operator(alice))
    aliases.point_alias("acme/x", OTHER, actor=Actor(alice))
    number = PendingChange.objects.get().pk
    aliases.point_alias("acme/x", Reference.parse("acme/other"), actor=Actor.operator(alice))
    with pytest.raises(Refused) as refused:
        confirming.confirm_change(number, actor=Actor(bob))
    assert refused.value.code is Code.PRECONDITION_FAILED
    assert aliases.point_alias("acme/x", OTHER, actor=Actor(bob)).is_pending


def test_request_is_void_once_its_author_lost_the_role(
    strict: Namespace, alice: User, bob: User
) -> None:
    aliases.point_alias("acme/x", BOARD, actor=Actor(bob))
    members.revoke_membership(strict, bob, actor=Actor(alice))
    number = PendingChange.objects.get().pk
    with pytest.raises(Refused, match="bob may no longer request this change") as refused:
        confirming.confirm_change(number, actor=Actor(alice))
    assert refused.value.code is Code.CONFLICT
    assert aliases.point_alias("acme/x", BOARD, actor=Actor(alice)).is_pending
    assert PendingChange.objects.get().requested_by == alice


@pytest.mark.usefixtures("strict")
def test_confirming_makes_the_change(alice: User, bob: User) -> None:
    aliases.point_alias("acme/x", OTHER, actor=Actor(alice))
    number = PendingChange.objects.get().pk
    with pytest.raises(Refused) as refused:
        confirming.confirm_change(number, actor=Actor(alice))
    assert refused.value.code is Code.FORBIDDEN
    confirming.confirm_change(number, actor=Actor(bob))
    assert target("acme/x") == "acme/other@1"
    with pytest.raises(Refused, match="no longer pending"):
        confirming.confirm_change(number, actor=Actor(bob))


def test_discarded_change_is_not_made(strict: Namespace, alice: User, bob: User) -> None:
    aliases.point_alias("acme/x", BOARD, actor=Actor(alice))
    (change,) = four_eyes.list_pending(strict)
    with pytest.raises(Refused) as refused:
        four_eyes.discard_change(change.pk, actor=Actor(User.objects.create_user("carol")))
    assert refused.value.code is Code.FORBIDDEN
    four_eyes.discard_change(change.pk, actor=Actor(bob))
    assert last_events(1) == [("change.discarded", "bob")]
    assert four_eyes.list_pending(strict) == []
    with pytest.raises(Refused, match="no longer pending"):
        four_eyes.find_pending(change.pk)


def test_other_policies_need_nobody_else(acme: Namespace, alice: User) -> None:
    assert not aliases.point_alias("acme/x", BOARD, actor=Actor(alice)).is_pending
    namespaces.set_policy(acme, Policy.CURATORS, actor=Actor(alice))
    assert not aliases.point_alias("acme/x", OTHER, actor=Actor(alice)).is_pending


@pytest.mark.usefixtures("strict")
def test_renaming_does_not_move_an_alias_alone(alice: User) -> None:
    aliases.point_alias("acme/x", BOARD, actor=Actor.operator(alice))
    namespaces.create_namespace("other", actor=Actor.operator(alice))
    Membership.objects.create(
        namespace=Namespace.objects.get(name="other"), user=alice, role=Role.OWNER
    )
    with pytest.raises(Refused, match="acme/x is under four-eyes") as refused:
        renaming.rename_tag(
            Tag.parse("acme/board"),
            Tag.parse("other/board"),
            reason="moved",
            aliases=["acme/x"],
            actor=Actor(alice),
        )
    assert refused.value.code is Code.CONFLICT
    assert not PendingChange.objects.exists()


def test_switching_needs_two_active_curators(acme: Namespace, alice: User) -> None:
    closed = User.objects.create_user("closed")
    members.grant_role(acme, closed, Role.CURATOR, actor=Actor(alice))
    User.objects.filter(pk=closed.pk).update(is_active=False)
    members.grant_role(acme, User.objects.create_user("carol"), Role.MEMBER, actor=Actor(alice))
    with pytest.raises(Refused, match="needs two curators") as refused:
        namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))
    assert refused.value.code is Code.CONFLICT
    members.grant_role(acme, User.objects.create_user("bob"), Role.CURATOR, actor=Actor(alice))
    namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))
    assert policy(acme) == Policy.FOUR_EYES


def test_leaving_is_confirmed_by_a_second_curator(
    strict: Namespace, alice: User, bob: User
) -> None:
    assert namespaces.set_policy(strict, Policy.MEMBERS, actor=Actor(alice)).policy == "four-eyes"
    assert last_events(1) == [("change.requested", "alice")]
    number = PendingChange.objects.get().pk
    with pytest.raises(Refused) as refused:
        namespaces.confirm_policy(number, actor=Actor(alice))
    assert refused.value.code is Code.FORBIDDEN
    assert namespaces.confirm_policy(number, actor=Actor(bob)).policy == Policy.MEMBERS
    assert last_events(1) == [("namespace.policy_set", "bob")]
    assert detail() == {"before": "four-eyes", "after": "members", "requested_by": "alice"}


def test_leaving_is_confirmed_by_staff_who_stands_in(
    strict: Namespace, alice: User, staff: User
) -> None:
    namespaces.set_policy(strict, Policy.CURATORS, actor=Actor(alice))
    namespaces.set_policy(strict, Policy.CURATORS, actor=Actor(staff))
    assert policy(strict) == Policy.CURATORS
    assert last_events(2) == [
        ("namespace.staff_confirmed", "staff"),
        ("namespace.policy_set", "staff"),
    ]


@pytest.mark.usefixtures("strict")
def test_curator_cannot_request_to_leave(acme: Namespace, bob: User) -> None:
    with pytest.raises(Refused) as refused:
        namespaces.set_policy(acme, Policy.MEMBERS, actor=Actor(bob))
    assert refused.value.code is Code.FORBIDDEN


def test_leaving_discards_the_pending_aliases(strict: Namespace, alice: User, bob: User) -> None:
    aliases.point_alias("acme/x", BOARD, actor=Actor(alice))
    namespaces.set_policy(strict, Policy.MEMBERS, actor=Actor(alice))
    change = PendingChange.objects.get(kind="policy")
    confirming.confirm_change(change.pk, actor=Actor(bob))
    assert not PendingChange.objects.exists()


def test_events_say_that_too_few_curators_are_left(
    strict: Namespace, alice: User, bob: User, staff: User
) -> None:
    shortage = ("namespace.understaffed", "alice")
    members.grant_role(strict, bob, Role.MEMBER, actor=Actor(alice))
    assert last_events(1) == [shortage]
    assert detail() == {"curators": 1}
    members.grant_role(strict, bob, Role.OWNER, actor=Actor.operator(alice))
    members.revoke_membership(strict, bob, actor=Actor(alice))
    assert last_events(2) == [("member.revoked", "alice"), shortage]
    members.grant_role(strict, bob, Role.CURATOR, actor=Actor.operator(alice))
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    texts = {"first_name": "", "last_name": "", "email": ""}
    users.update_user(bob, rights=AccountRights(is_active=False), actor=Actor(alice), **texts)
    assert last_events(1) == [shortage]


def test_closing_a_curators_account_is_such_an_event(strict: Namespace, bob: User) -> None:
    closing.close_account(actor=Actor(bob))
    actions = [action for action, _ in last_events(3)]
    assert actions == ["member.revoked", "namespace.understaffed", "account.closed"]


@pytest.mark.usefixtures("strict")
def test_staff_accepting_a_proposal_is_an_event(alice: User, bob: User, staff: User) -> None:
    for curator in (bob, staff):
        body = {"kind": "llvm", "mcpu": "znver3", "num-cores": curator.pk}
        proposal = propose("acme/new", body)
        review.accept(proposal.pk, seen=1, actor=Actor(curator))
        stood_in = Event.objects.filter(action="namespace.staff_confirmed")
        assert stood_in.exists() is (curator is staff)
