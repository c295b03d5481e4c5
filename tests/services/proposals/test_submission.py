"""Proposing and revising: stored rows, and errors that store nothing."""

import json
from typing import Any

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag
from registry.models import Event, Proposal, ProposalRevision, Turn, User
from registry.services.core.permissions import Actor
from registry.services.proposals import review, submission
from tests.publishing import propose, publish, row_counts
from ttag_rules.version_number import VersionNumber

BOARD = {"kind": "llvm", "mcpu": "haswell"}
WIDER = BOARD | {"num-cores": 8}


def revise(number: int, target: Any, *, actor: Actor, seen: int = 1, **more: Any) -> Proposal:
    arguments = {"message": "", "base": None, "seen": seen, **more}
    return submission.revise(number, json.dumps(target), actor=actor, **arguments)


def refused(code: Code, call: Any, *arguments: Any, **more: Any) -> Refused:
    """Return the error of a call that must store nothing."""
    before = row_counts()
    with pytest.raises(Refused) as error:
        call(*arguments, **more)
    assert error.value.code == code, error.value.detail
    assert row_counts() == before
    return error.value


def test_proposal_is_numbered_stored_and_logged(bob: User) -> None:
    tags = ("acme/board-1", "acme/board-2")
    numbers = [propose(tag, BOARD, by="bob", message=" why ").pk for tag in tags]
    assert numbers == [1, 2]
    revision = ProposalRevision.objects.get(proposal=2)
    assert (revision.number, revision.base, revision.message) == (1, "", "why")
    assert json.loads(revision.source) == BOARD
    turn = Turn.objects.get(proposal=2)
    assert (turn.sequence, turn.action, turn.author) == (1, "submit", bob)
    event = Event.objects.latest("number")
    assert (event.action, event.subject, event.actor) == (
        "proposal.submitted",
        "acme/board-2",
        bob,
    )
    assert json.loads(event.detail) == {
        "proposal": 2,
        "revision": 1,
        "before": None,
        "after": "open",
    }


@pytest.mark.usefixtures("bob")
def test_body_is_checked_as_for_publishing() -> None:
    error = refused(Code.BODY_INVALID, propose, "acme/board", {"kind": "lvm"}, by="bob")
    assert [fault.pointer for fault in error.faults] == ["/kind"]
    publish("acme/board", BOARD)
    refused(Code.NOTHING_CHANGED, propose, "acme/board", BOARD, by="bob")
    refused(Code.NAMESPACE_UNKNOWN, propose, "nobody/board", BOARD, by="bob")
    refused(Code.CONFLICT, propose, "nvidia/a100", BOARD, by="bob")


def test_base_must_be_the_last_published_version(bob: User) -> None:
    publish("acme/board", BOARD)
    arguments: dict[str, Any] = {"message": "", "actor": Actor.operator(bob)}
    board, source = Tag.parse("acme/board"), json.dumps(WIDER)
    refused(Code.PRECONDITION_FAILED, submission.propose, board, source, base=None, **arguments)
    proposal = submission.propose(board, source, base=VersionNumber(1, 0, 0), **arguments)
    assert ProposalRevision.objects.get(proposal=proposal).base == "1.0.0"


def test_form_sent_twice_creates_one_proposal(bob: User, alice: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob", key="k1")
    before = row_counts()
    assert propose("acme/board", BOARD, by="bob", key="k1") == proposal
    review.accept(proposal.pk, seen=1, actor=Actor.operator(alice))
    assert propose("acme/board", BOARD, by="bob", key="k1") == proposal  # decided meanwhile
    assert row_counts() != before
    assert Proposal.objects.count() == 1
    other = propose("acme/other", WIDER, key="k1")  # keys are per user
    assert other != proposal


@pytest.mark.usefixtures("bob")
def test_key_cannot_be_used_for_another_action() -> None:
    proposal = propose("acme/board", BOARD, by="bob", key="k1")
    bob = proposal.submitter
    refused(
        Code.CONFLICT, review.comment, proposal.pk, text="Well", actor=Actor.operator(bob), key="k1"
    )
    other = propose("acme/other", WIDER, by="bob")
    review.comment(proposal.pk, text="Well", actor=Actor.operator(bob), key="k2")
    refused(
        Code.CONFLICT, review.comment, other.pk, text="Well", actor=Actor.operator(bob), key="k2"
    )


@pytest.mark.usefixtures("bob")
def test_a_form_that_was_changed_after_it_was_sent_is_a_conflict() -> None:
    """Otherwise the change, made after going back, would be lost in silence."""
    proposal = propose("acme/board", BOARD, by="bob", message="First", key="k1")
    actor = Actor.operator(proposal.submitter)
    assert propose("acme/board", BOARD, by="bob", message=" First\r\n", key="k1") == proposal
    refused(Code.CONFLICT, propose, "acme/board", BOARD, by="bob", message="Second", key="k1")
    first: dict[str, Any] = {"text": "Why", "sources": ["https://example.com/"]}
    for _ in range(2):
        assert revise(proposal.pk, WIDER, actor=actor, key="k2", **first).revision == 2
    others: tuple[dict[str, Any], ...] = (
        {"text": "Another reason"},
        {"sources": []},
        {"sources": ["https://example.com/2"]},
        {"message": "Another message"},
    )
    for other in others:
        refused(Code.CONFLICT, revise, proposal.pk, WIDER, actor=actor, key="k2", **(first | other))
    assert ProposalRevision.objects.latest("number").number == 2


@pytest.mark.usefixtures("bob")
def test_same_body_is_rejected_while_undecided() -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    error = refused(Code.CONFLICT, propose, "acme/board", BOARD, by="bob")
    assert f"proposal {proposal.pk}" in error.detail
    propose("acme/board", BOARD, by="carol")  # another user may propose the same
    review.withdraw(proposal.pk, actor=Actor.operator(proposal.submitter))
    propose("acme/board", BOARD, by="bob")


@pytest.mark.usefixtures("bob")
def test_number_of_undecided_proposals_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "MAX_UNDECIDED", 3)
    for number in range(3):
        proposal = propose(f"acme/board-{number}", BOARD, by="bob")
    refused(Code.RATE_LIMITED, propose, "acme/more", BOARD, by="bob")
    propose("acme/more", BOARD, by="carol")
    review.withdraw(proposal.pk, actor=Actor.operator(proposal.submitter))
    propose("acme/more", BOARD, by="bob")


def test_revision_replaces_the_one_seen(bob: User, alice: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    review.request_changes(proposal.pk, seen=1, text="How many cores?", actor=Actor.operator(alice))
    revise(proposal.pk, WIDER, actor=Actor.operator(bob), text="Eight")
    proposal.refresh_from_db()
    assert (proposal.state, proposal.revision) == ("open", 2)
    sources = [json.loads(row.source) for row in ProposalRevision.objects.order_by("number")]
    assert sources == [BOARD, WIDER]
    assert Turn.objects.latest("sequence").text == "Eight"
    refused(Code.PRECONDITION_FAILED, revise, proposal.pk, BOARD, actor=Actor.operator(bob))
    refused(Code.NOTHING_CHANGED, revise, proposal.pk, WIDER, actor=Actor.operator(bob), seen=2)
    refused(Code.FORBIDDEN, revise, proposal.pk, BOARD, actor=Actor.operator(alice), seen=2)
    refused(
        Code.BODY_INVALID, revise, proposal.pk, {"kind": "lvm"}, actor=Actor.operator(bob), seen=2
    )
    refused(Code.PROPOSAL_UNKNOWN, revise, 99, BOARD, actor=Actor.operator(bob))
    review.reject(proposal.pk, seen=2, text="No", actor=Actor.operator(alice))
    refused(Code.CONFLICT, revise, proposal.pk, BOARD, actor=Actor.operator(bob), seen=2)


def test_form_sent_twice_creates_one_revision(bob: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    for _ in range(2):
        assert revise(proposal.pk, WIDER, actor=Actor.operator(bob), key="k1").revision == 2


def test_revision_of_a_moved_tag_needs_the_new_base(bob: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    publish("acme/board", BOARD | {"num-cores": 2})
    refused(Code.PRECONDITION_FAILED, revise, proposal.pk, WIDER, actor=Actor.operator(bob))
    revise(proposal.pk, WIDER, actor=Actor.operator(bob), base=VersionNumber(1, 0, 0))
    assert ProposalRevision.objects.latest("number").base == "1.0.0"


def test_number_of_revisions_is_limited(bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "MAX_REVISIONS", 2)
    proposal = propose("acme/board", BOARD, by="bob")
    revise(proposal.pk, WIDER, actor=Actor.operator(bob))
    refused(Code.CONFLICT, revise, proposal.pk, BOARD, actor=Actor.operator(bob), seen=2)


@pytest.mark.parametrize(
    ("message", "sources", "pointer"),
    [
        ("bell \a", [], "/message"),
        ("\u202eback", [], "/message"),
        ("x" * 2001, [], "/message"),
        ("", ["javascript:alert(1)"], "/sources/0"),
        ("", ["https://example.com/", "http://example.com/"], "/sources/1"),
        ("", ["https://example.com/"] * 17, "/sources"),
    ],
)
def test_texts_follow_the_rules_of_publishing(
    bob: User, message: str, sources: list[str], pointer: str
) -> None:
    arguments: dict[str, Any] = {
        "message": message,
        "sources": sources,
        "base": None,
        "actor": Actor.operator(bob),
    }
    board, source = Tag.parse("acme/board"), json.dumps(BOARD)
    error = refused(Code.REQUEST_INVALID, submission.propose, board, source, **arguments)
    assert [fault.pointer for fault in error.faults] == [pointer]
