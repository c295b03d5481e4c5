"""Closing an account keeps its publications under another name and reserves its old name."""

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from registry.domain.errors import Code, Refused
from registry.domain.proposal_states import ProposalState
from registry.domain.reference import Tag
from registry.models import Event, Membership, Namespace, Role, SavedDraft, Token, User
from registry.services.accounts import closing, tokens, usernames, users
from registry.services.accounts.users import AccountRights
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.proposals import submission
from tests.publishing import publish

PASSWORD = "correct horse battery"
pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(acme: Namespace, alice: User) -> User:
    """Return a member of acme with rows of every kind that belongs to an account."""
    bob = users.sign_up("bob", password=PASSWORD, email="bob@example.org")
    members.grant_role(acme, bob, Role.MEMBER, actor=Actor.operator(alice))
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"}, actor=bob)
    tokens.issue_token(
        bob, label="CI", scopes={Scope.YANK}, pattern="acme", actor=Actor.operator(bob)
    )
    EmailAddress.objects.create(user=bob, email="bob@example.org", primary=True)
    Authenticator.objects.create(user=bob, type="totp", data={})
    SocialAccount.objects.create(user=bob, provider="https://id.example.org", uid="248")
    SavedDraft.objects.create(owner=bob, form_data="{}")
    return bob


def test_publications_stay_under_the_credit(bob: User) -> None:
    closing.close_account(actor=Actor.operator(bob), credit=" Robert ")
    published = Event.objects.select_related("actor").get(
        action="version.published", subject="acme/board@1.0.0"
    )
    assert published.actor.username == "Robert"


def test_personal_data_is_deleted(bob: User) -> None:
    closing.close_account(actor=Actor.operator(bob))
    bob.refresh_from_db()
    assert (bob.first_name, bob.last_name, bob.email, bob.last_login) == ("", "", "", None)
    assert not bob.has_usable_password()
    assert not bob.is_active
    assert not Membership.objects.filter(user=bob).exists()
    assert not EmailAddress.objects.exists()
    assert not Authenticator.objects.exists()
    assert not SocialAccount.objects.exists()
    assert not SavedDraft.objects.exists()
    assert not Token.objects.filter(owner=bob, revoked=None).exists()


def test_accounts_without_a_credit_become_former_contributors(bob: User) -> None:
    carol = users.sign_up("carol", password=PASSWORD)
    names = [closing.close_account(actor=Actor.operator(user)).username for user in (bob, carol)]
    assert names == ["a former contributor", "a former contributor 2"]


def test_events_of_closing_do_not_contain_the_name(bob: User) -> None:
    before = Event.objects.latest("number").number
    closing.close_account(actor=Actor.operator(bob))
    events = Event.objects.filter(number__gt=before)
    assert [event.action for event in events] == [
        "member.revoked",
        "token.revoked",
        "account.closed",
    ]
    for event in events:
        assert "bob" not in event.subject + event.detail
    assert json.loads(events[2].detail) == {"was": [usernames.name_digest("BOB")]}


@pytest.mark.parametrize("name", ["bob", "Bob"])
def test_old_name_cannot_be_reused(bob: User, name: str) -> None:
    carol = users.sign_up("carol", password=PASSWORD)
    closing.close_account(actor=Actor.operator(bob))
    for attempt in (
        lambda: users.sign_up(name, password=PASSWORD),
        lambda: users.create_user(name, actor=Actor.operator(carol)),
        lambda: closing.close_account(actor=Actor.operator(carol), credit=name),
    ):
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.code is Code.REQUEST_INVALID


def test_open_proposals_are_withdrawn(bob: User) -> None:
    source = json.dumps({"kind": "llvm", "mcpu": "skylake"})
    proposal = submission.propose(
        Tag.parse("acme/proposed"), source, message="new", base=None, actor=Actor.operator(bob)
    )
    closing.close_account(actor=Actor.operator(bob))
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.WITHDRAWN


@pytest.mark.parametrize(
    ("credit", "problem"),
    [
        ("\u0410lice", "U+0410 is not allowed here"),  # a Cyrillic letter
        ("Bob ★", "U+2605 is not allowed here"),
        ("R2-D2!", "U+0021 is not allowed here"),
        ("42", "a letter is required"),
        ("A.L.I.C.E", "is or was used by another account"),
        ("Älice", "is or was used by another account"),
        ("Carol D", "is or was used by another account"),
        ("The Registry", None),
        ("R.e.g.i.s.t.r.y", "is reserved"),
        ("A former contributor 7", "is reserved"),
        ("ACME", "is the name of a namespace"),
        ("Acme, Inc.", "is the name of a namespace"),
        ("Rasp-Berry Ltd", "is the name of a vendor"),
        ("José O'Neil-Łukasz (Jr.)", None),
    ],
)
def test_credit_cannot_be_taken_for_another_name(
    bob: User, acme: Namespace, credit: str, problem: str | None
) -> None:
    closing.close_account(actor=Actor.operator(users.sign_up("carol.d", password=PASSWORD)))
    Namespace.objects.filter(pk=acme.pk).update(title="Acme Inc")
    publish("acme/pi", {"kind": "llvm", "hardware": {"vendor": "Raspberry Ltd."}})
    if problem is None:
        assert closing.close_account(actor=Actor.operator(bob), credit=credit).username == credit
        return
    with pytest.raises(Refused) as refused:
        closing.close_account(actor=Actor.operator(bob), credit=credit)
    assert problem in refused.value.errors[0].message


def test_own_name_can_be_the_credit(bob: User) -> None:
    assert closing.close_account(actor=Actor.operator(bob), credit="bob").username == "bob"


def test_last_owner_and_last_superuser_cannot_be_closed(acme: Namespace, alice: User) -> None:
    with pytest.raises(Refused, match=f"alice is the last owner of {acme}") as refused:
        closing.close_account(actor=Actor.operator(alice), credit="Alice B")
    assert refused.value.code is Code.CONFLICT
    boss = User.objects.create_superuser("boss")
    User.objects.exclude(pk=boss.pk).update(is_superuser=False)
    with pytest.raises(Refused, match="No superuser would be left"):
        closing.close_account(actor=Actor.operator(boss))
    alice.refresh_from_db()
    assert (alice.username, alice.is_active) == ("alice", True)
    assert Membership.objects.filter(user=alice).exists()


def test_staff_loses_rights(bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    closed = closing.close_account(actor=Actor.operator(bob))
    assert (closed.is_staff, closed.is_superuser) == (False, False)


def test_administrators_can_change_a_closed_account(bob: User) -> None:
    boss = User.objects.create_superuser("boss")
    closed = closing.close_account(actor=Actor.operator(bob))
    texts = {"first_name": "", "last_name": "", "email": ""}
    changed = users.update_user(
        closed, rights=AccountRights(is_active=True), actor=Actor.operator(boss), **texts
    )
    assert changed.is_active
