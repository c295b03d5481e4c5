"""Proposing and revising: what is stored, and errors that store nothing."""

import json
from typing import Any

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag
from registry.domain.version_number import VersionNumber
from registry.models import Event, Proposal, ProposalRevision, Turn, User
from registry.services.core.permissions import Actor
from registry.services.proposals import review, submission
from tests.publishing import propose, publish, written

BOARD = {"kind": "llvm", "mcpu": "haswell"}
WIDER = BOARD | {"num-cores": 8}


def revise(number: int, target: Any, *, actor: Actor, seen: int = 1, **more: Any) -> Proposal:
    said = {"message": "", "base": None, "seen": seen, **more}
    return submission.revise(number, json.dumps(target), actor=actor, **said)


def refused(code: Code, act: Any, *arguments: Any, **more: Any) -> Refused:
    """Return the error of an action that must store nothing."""
    before = written()
    with pytest.raises(Refused) as found:
        act(*arguments, **more)
    assert found.value.code == code, found.value.detail
    assert written() == before
    return found.value


def test_proposal_is_numbered_stored_and_logged(bob: User) -> None:
    made = [propose(f"acme/board-{at}", BOARD, by="bob", message=" why ") for at in (1, 2)]
    assert [each.pk for each in made] == [1, 2]
    revision = ProposalRevision.objects.get(proposal=2)
    assert (revision.number, revision.base, revision.message) == (1, "", "why")
    assert json.loads(revision.source) == BOARD
    turn = Turn.objects.get(proposal=2)
    assert (turn.sequence, turn.act, turn.author) == (1, "submit", bob)
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
    found = refused(Code.BODY_INVALID, propose, "acme/board", {"kind": "lvm"}, by="bob")
    assert [fault.pointer for fault in found.faults] == ["/kind"]
    publish("acme/board", BOARD)
    refused(Code.NOTHING_CHANGED, propose, "acme/board", BOARD, by="bob")
    refused(Code.NAMESPACE_UNKNOWN, propose, "nobody/board", BOARD, by="bob")
    refused(Code.CONFLICT, propose, "nvidia/a100", BOARD, by="bob")


def test_base_must_be_the_last_published_version(bob: User) -> None:
    publish("acme/board", BOARD)
    said: dict[str, Any] = {"message": "", "actor": Actor.operator(bob)}
    board, source = Tag.parse("acme/board"), json.dumps(WIDER)
    refused(Code.PRECONDITION_FAILED, submission.propose, board, source, base=None, **said)
    made = submission.propose(board, source, base=VersionNumber(1, 0, 0), **said)
    assert ProposalRevision.objects.get(proposal=made).base == "1.0.0"


def test_form_sent_twice_makes_one_proposal(bob: User, alice: User) -> None:
    made = propose("acme/board", BOARD, by="bob", key="k1")
    before = written()
    assert propose("acme/board", BOARD, by="bob", key="k1") == made
    review.accept(made.pk, seen=1, actor=Actor.operator(alice))
    assert propose("acme/board", BOARD, by="bob", key="k1") == made  # whatever became of it
    assert written() != before
    assert Proposal.objects.count() == 1
    other = propose("acme/other", WIDER, key="k1")  # keys are one's own
    assert other != made


@pytest.mark.usefixtures("bob")
def test_key_is_for_one_action_only() -> None:
    made = propose("acme/board", BOARD, by="bob", key="k1")
    bob = made.submitter
    refused(
        Code.CONFLICT, review.comment, made.pk, text="Well", actor=Actor.operator(bob), key="k1"
    )
    other = propose("acme/other", WIDER, by="bob")
    review.comment(made.pk, text="Well", actor=Actor.operator(bob), key="k2")
    refused(
        Code.CONFLICT, review.comment, other.pk, text="Well", actor=Actor.operator(bob), key="k2"
    )


@pytest.mark.usefixtures("bob")
def test_same_body_is_rejected_while_undecided() -> None:
    made = propose("acme/board", BOARD, by="bob")
    found = refused(Code.CONFLICT, propose, "acme/board", BOARD, by="bob")
    assert f"proposal {made.pk}" in found.detail
    propose("acme/board", BOARD, by="carol")  # somebody else may mean the same
    review.withdraw(made.pk, actor=Actor.operator(made.submitter))
    propose("acme/board", BOARD, by="bob")


@pytest.mark.usefixtures("bob")
def test_number_of_undecided_proposals_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "MAX_UNDECIDED", 3)
    for at in range(3):
        made = propose(f"acme/board-{at}", BOARD, by="bob")
    refused(Code.RATE_LIMITED, propose, "acme/more", BOARD, by="bob")
    propose("acme/more", BOARD, by="carol")
    review.withdraw(made.pk, actor=Actor.operator(made.submitter))
    propose("acme/more", BOARD, by="bob")


def test_revision_replaces_the_one_seen(bob: User, alice: User) -> None:
    made = propose("acme/board", BOARD, by="bob")
    review.request_changes(made.pk, seen=1, text="How many cores?", actor=Actor.operator(alice))
    revise(made.pk, WIDER, actor=Actor.operator(bob), text="Eight")
    now = Proposal.objects.get()
    assert (now.state, now.revision) == ("open", 2)
    sources = [json.loads(each.source) for each in ProposalRevision.objects.order_by("number")]
    assert sources == [BOARD, WIDER]
    assert Turn.objects.latest("sequence").text == "Eight"
    refused(Code.PRECONDITION_FAILED, revise, made.pk, BOARD, actor=Actor.operator(bob))
    refused(Code.NOTHING_CHANGED, revise, made.pk, WIDER, actor=Actor.operator(bob), seen=2)
    refused(Code.FORBIDDEN, revise, made.pk, BOARD, actor=Actor.operator(alice), seen=2)
    refused(Code.BODY_INVALID, revise, made.pk, {"kind": "lvm"}, actor=Actor.operator(bob), seen=2)
    refused(Code.PROPOSAL_UNKNOWN, revise, 99, BOARD, actor=Actor.operator(bob))
    review.reject(made.pk, seen=2, text="No", actor=Actor.operator(alice))
    refused(Code.CONFLICT, revise, made.pk, BOARD, actor=Actor.operator(bob), seen=2)


def test_revision_sent_twice_is_one(bob: User) -> None:
    made = propose("acme/board", BOARD, by="bob")
    for _ in range(2):
        assert revise(made.pk, WIDER, actor=Actor.operator(bob), key="k1").revision == 2


def test_revision_after_the_tag_moved_names_the_new_base(bob: User) -> None:
    made = propose("acme/board", BOARD, by="bob")
    publish("acme/board", BOARD | {"num-cores": 2})
    refused(Code.PRECONDITION_FAILED, revise, made.pk, WIDER, actor=Actor.operator(bob))
    revise(made.pk, WIDER, actor=Actor.operator(bob), base=VersionNumber(1, 0, 0))
    assert ProposalRevision.objects.latest("number").base == "1.0.0"


def test_number_of_revisions_is_limited(bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "MAX_REVISIONS", 2)
    made = propose("acme/board", BOARD, by="bob")
    revise(made.pk, WIDER, actor=Actor.operator(bob))
    refused(Code.CONFLICT, revise, made.pk, BOARD, actor=Actor.operator(bob), seen=2)


@pytest.mark.parametrize(
    ("message", "sources", "place"),
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
    bob: User, message: str, sources: list[str], place: str
) -> None:
    said: dict[str, Any] = {
        "message": message,
        "sources": sources,
        "base": None,
        "actor": Actor.operator(bob),
    }
    board, source = Tag.parse("acme/board"), json.dumps(BOARD)
    found = refused(Code.REQUEST_INVALID, submission.propose, board, source, **said)
    assert [fault.pointer for fault in found.faults] == [place]
