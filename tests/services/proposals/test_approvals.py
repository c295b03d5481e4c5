"""Under four-eyes, two people who may review accept the same revision before it is published."""

import json
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code
from registry.domain.identity_claims import GITHUB
from registry.domain.reference import Tag
from registry.models import Event, Namespace, Policy, Proposal, Role, Turn, User, Version
from registry.services.accounts import closing, tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces, trusted_publishers
from registry.services.proposals import approvals, listing, review, submission
from tests.publishing import publish
from tests.services.proposals.test_submission import BOARD, WIDER, refused

Submit = Callable[[Actor], Proposal]


@pytest.fixture
def strict(acme: Namespace, alice: User, carol: User) -> Namespace:
    """Return the namespace under four-eyes: Alice is the owner, Carol a curator."""
    return namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))


@pytest.fixture
def submit(strict: Namespace) -> Submit:
    """Return a function that submits proposal 1."""

    def send(actor: Actor) -> Proposal:
        tag, body = Tag.parse("acme/board"), json.dumps(BOARD)
        return submission.propose(tag, body, message="", base=None, actor=actor)

    return send


def accept(user: User, *, seen: int = 1, key: str = "") -> Version | None:
    return review.accept(1, seen=seen, actor=Actor(user), key=key)


def acts() -> list[tuple[str, str]]:
    """Return the actions of the proposal with their authors."""
    turns = Turn.objects.select_related("author").order_by("sequence")
    return [(turn.action, turn.author.username) for turn in turns]


def test_proposal_of_a_curator_needs_one_other(submit: Submit, alice: User, carol: User) -> None:
    submit(Actor(carol))
    assert acts() == [("submit", "carol"), ("approve", "carol")]
    error = refused(Code.FORBIDDEN, review.accept, 1, seen=1, actor=Actor(carol))
    assert "cannot accept your own proposal" in error.detail
    version = accept(alice)
    assert version
    assert (version.publisher, version.author) == (alice, carol)


def test_proposal_of_a_stranger_needs_two(
    submit: Submit, alice: User, bob: User, carol: User
) -> None:
    submit(Actor(bob))
    assert acts() == [("submit", "bob")]
    assert accept(carol) is None
    assert Proposal.objects.get().state == "open"
    event = Event.objects.latest("number")
    assert (event.action, event.actor) == ("proposal.approved", carol)
    approved = Proposal.objects.get()
    assert [approvals.would_publish(approved, user) for user in (carol, alice)] == [False, True]
    error = refused(Code.FORBIDDEN, review.accept, 1, seen=1, actor=Actor(carol))
    assert "accepted revision 1 of proposal 1 for acme/board already" in error.detail
    version = accept(alice)
    assert version
    assert (version.publisher, version.author) == (alice, bob)
    assert acts()[1:] == [("approve", "carol"), ("accept", "alice")]


def test_member_is_a_stranger_to_reviews(
    submit: Submit, strict: Namespace, alice: User, bob: User, carol: User
) -> None:
    members.grant_role(strict, bob, Role.MEMBER, actor=Actor(alice))
    submit(Actor(bob))
    refused(Code.FORBIDDEN, review.accept, 1, seen=1, actor=Actor(bob))
    assert accept(carol) is None


def test_staff_is_the_second_where_there_is_one_curator(
    submit: Submit, strict: Namespace, alice: User, bob: User, carol: User
) -> None:
    members.revoke_membership(strict, carol, actor=Actor(alice))
    staff = User.objects.create_user("staff", is_staff=True)
    submit(Actor(bob))
    assert accept(alice) is None
    assert accept(staff)
    assert Event.objects.filter(action="namespace.staff_confirmed", actor=staff).exists()


def test_other_policies_need_one(acme: Namespace, alice: User, bob: User, carol: User) -> None:
    tag = Tag.parse("acme/board")
    for policy, body in ((Policy.MEMBERS, BOARD), (Policy.CURATORS, WIDER)):
        namespaces.set_policy(acme, policy, actor=Actor(alice))
        proposal = submission.propose(
            tag,
            json.dumps(body),
            message="",
            base=submission.last_published(tag),
            actor=Actor(bob),
        )
        assert review.accept(proposal.pk, seen=1, actor=Actor(carol))
    assert not Turn.objects.filter(action="approve").exists()


# Credentials that could not accept, approve nothing by submitting.


def test_token_that_only_proposes_approves_nothing(
    submit: Submit, alice: User, carol: User
) -> None:
    text = tokens.issue_token(
        alice, label="ci", scopes=[Scope.PROPOSE], pattern="acme", actor=Actor.operator(alice)
    )
    submit(tokens.authenticate(text))
    assert accept(carol) is None, "who holds the token of Alice is not Alice"
    assert accept(alice), "Alice herself is the second"


def test_trusted_publisher_approves_nothing_for_its_registrar(
    submit: Submit, strict: Namespace, alice: User, carol: User
) -> None:
    scopes = ["propose", "publish"]
    publisher = trusted_publishers.register_publisher(
        strict,
        issuer=GITHUB,
        claims={"repository": "acme/targets", "repository_owner_id": "1"},
        scopes=scopes,
        pattern="acme",
        actor=Actor.operator(alice),
    )
    text, _ = tokens.create_token(
        alice, label="job", scopes=scopes, pattern="acme", expires=None, publisher=publisher
    )
    submit(tokens.authenticate(text))
    assert accept(carol) is None
    assert accept(alice)


def test_token_that_may_review_approves(submit: Submit, alice: User, carol: User) -> None:
    text = tokens.issue_token(
        alice, label="own", scopes=list(Scope), pattern="acme", actor=Actor.operator(alice)
    )
    submit(tokens.authenticate(text))
    assert accept(carol)


# An approval is of one revision, by somebody who may still review.


def revise(user: User, *, seen: int = 1) -> None:
    submission.revise(1, json.dumps(WIDER), message="", base=None, seen=seen, actor=Actor(user))


def test_approval_ends_with_the_revision(
    submit: Submit, alice: User, bob: User, carol: User
) -> None:
    submit(Actor(bob))
    accept(alice)
    revise(bob)
    assert accept(carol, seen=2) is None, "Alice accepted another body"
    assert accept(alice, seen=2)


def test_revision_by_a_curator_is_approved_anew(submit: Submit, alice: User, carol: User) -> None:
    submit(Actor(carol))
    revise(carol)
    assert acts() == [
        ("submit", "carol"),
        ("approve", "carol"),
        ("revise", "carol"),
        ("approve", "carol"),
    ]
    assert accept(alice, seen=2)


@pytest.mark.parametrize("is_submitter", [True, False])
def test_approval_ends_with_the_role(
    submit: Submit, strict: Namespace, alice: User, carol: User, is_submitter: bool
) -> None:
    submit(Actor(carol if is_submitter else User.objects.create_user("stranger")))
    if not is_submitter:
        accept(carol)
    members.grant_role(strict, carol, Role.MEMBER, actor=Actor(alice))
    assert accept(alice) is None


def test_approval_ends_with_the_account(
    submit: Submit, alice: User, bob: User, carol: User
) -> None:
    submit(Actor(bob))
    accept(carol)
    closing.close_account(actor=Actor(carol))
    assert accept(alice) is None


def test_proposal_from_before_four_eyes_needs_two_who_accept(
    acme: Namespace, alice: User, carol: User
) -> None:
    submission.propose(
        Tag.parse("acme/board"), json.dumps(BOARD), message="", base=None, actor=Actor(carol)
    )
    namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))
    assert accept(carol) is None
    assert accept(alice)


def test_approval_of_changes_that_are_asked_for_keeps_them_asked(
    submit: Submit, alice: User, bob: User, carol: User
) -> None:
    submit(Actor(bob))
    review.request_changes(1, seen=1, text="Cores?", actor=Actor(alice))
    assert accept(carol) is None
    assert Proposal.objects.get().state == "changes-asked"
    assert accept(alice)


def test_resent_approval_has_one_effect(
    submit: Submit, alice: User, bob: User, carol: User
) -> None:
    submit(Actor(bob))
    for _ in range(2):
        assert accept(carol, key="k") is None
    version = accept(alice)
    assert version
    assert accept(carol, key="k") == version, "the proposal in its current state"
    assert acts() == [("submit", "bob"), ("approve", "carol"), ("accept", "alice")]


def test_body_that_cannot_be_published_is_not_approved(
    submit: Submit, alice: User, bob: User, carol: User
) -> None:
    submit(Actor(bob))
    publish("acme/board", WIDER)
    error = refused(Code.CONFLICT, review.accept, 1, seen=1, actor=Actor(carol))
    assert "has moved" in error.detail


def test_leaving_four_eyes_needs_one_again(
    submit: Submit, strict: Namespace, alice: User, carol: User
) -> None:
    proposal = submit(Actor(carol))
    Namespace.objects.filter(pk=strict.pk).update(policy=Policy.CURATORS)
    proposal.namespace.refresh_from_db()
    assert not approvals.is_approved(proposal, by=carol)
    assert accept(carol)


def test_next_to_review_is_none_that_waits_for_somebody_else(
    submit: Submit, alice: User, carol: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MAX_ROWS", 1)
    submit(Actor(carol))
    for number in range(2):
        body = json.dumps(BOARD | {"num-cores": number + 1})
        tag = Tag.parse(f"acme/own-{number}")
        submission.propose(tag, body, message="", base=None, actor=Actor(carol))
    filters = listing.QueueFilters()
    with CaptureQueriesContext(connection) as queries:
        assert listing.next_to_review(carol, filters, after=1) is None, "all wait for a second one"
    assert len(queries) == 2
    following = listing.next_to_review(alice, filters, after=1)
    assert following
    assert following.tag == "acme/own-0"
    last = submission.propose(
        Tag.parse("acme/last"), json.dumps(BOARD), message="", base=None, actor=Actor(bob)
    )
    assert listing.next_to_review(carol, filters, after=1) == last
    review.accept(last.pk, seen=1, actor=Actor(carol))
    assert listing.next_to_review(carol, filters, after=1) is None
    assert listing.next_to_review(alice, filters, after=3) == last


def test_an_approval_hides_nothing_without_four_eyes(
    submit: Submit, strict: Namespace, carol: User
) -> None:
    proposal = submit(Actor(carol))
    filters = listing.QueueFilters()
    assert listing.next_to_review(carol, filters, after=99) is None
    Namespace.objects.filter(pk=strict.pk).update(policy=Policy.CURATORS)
    assert listing.next_to_review(carol, filters, after=99) == proposal
