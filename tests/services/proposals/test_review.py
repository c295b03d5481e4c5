"""Decisions on proposals: permissions, effects, and finality."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from registry.domain.errors import Code, Refused
from registry.models import Event, Namespace, Policy, Proposal, Turn, User, Version
from registry.services.core import remarks
from registry.services.core.permissions import Actor
from registry.services.proposals import review
from registry.services.versions import publishing
from tests.publishing import propose, publish
from tests.services.proposals.test_submission import BOARD, WIDER, refused, revise
from ttag_rules.version_number import VersionNumber

Decide = Callable[[int, User], Any]

DECISIONS: dict[str, Decide] = {
    "accepted": lambda number, user: review.accept(number, seen=1, actor=Actor.operator(user)),
    "rejected": lambda number, user: review.reject(
        number, seen=1, text="No", actor=Actor.operator(user)
    ),
    "withdrawn": lambda number, user: review.withdraw(number, actor=Actor.operator(user)),
}


def accept(proposal: Proposal, user: User, *, seen: int = 1, **more: str) -> Version:
    """Accept a proposal as somebody who needs nobody else; return the version."""
    version = review.accept(proposal.pk, seen=seen, actor=Actor.operator(user), **more)
    assert version
    return version


@pytest.mark.usefixtures("bob")
def test_accepting_publishes_and_credits_the_submitter(alice: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob", message="First")
    version = accept(proposal, alice, text="Thanks")
    stored = Version.objects.get(pk=version.pk)
    assert (stored.exact, stored.message) == ("acme/board@1.0.0", "First")
    assert stored.author == proposal.submitter
    assert stored.publisher == alice
    proposal.refresh_from_db()
    assert (proposal.state, proposal.version) == ("accepted", stored)
    events = Event.objects.order_by("-number")[:2]
    assert [event.action for event in events] == ["proposal.accepted", "version.published"]
    assert json.loads(events[0].detail)["version"] == "acme/board@1.0.0"


def test_own_proposal_has_no_separate_author(alice: User, acme: Namespace) -> None:
    proposal = propose("acme/board", BOARD)
    assert accept(proposal, alice).author is None


def test_four_eyes_needs_another_curator(alice: User, carol: User, acme: Namespace) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    proposal = propose("acme/board", BOARD)
    refused(Code.FORBIDDEN, review.accept, proposal.pk, seen=1, actor=Actor.operator(alice))
    assert accept(proposal, carol).author == alice


@pytest.mark.parametrize("step", [review.accept, review.request_changes, review.reject])
@pytest.mark.usefixtures("bob")
def test_a_decision_sent_again_must_be_the_same(step: Callable[..., Any], alice: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    arguments: dict[str, Any] = {"seen": 1, "text": "A", "actor": Actor.operator(alice), "key": "k"}
    for _ in range(2):
        step(proposal.pk, **arguments)
    for other in ({"text": "B"}, {"seen": 2}):
        refused(Code.CONFLICT, step, proposal.pk, **(arguments | other))
    assert [turn.text for turn in Turn.objects.order_by("sequence")] == ["", "A"]


@pytest.mark.parametrize("state", DECISIONS)
def test_decision_is_final(state: str, alice: User, bob: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    DECISIONS[state](proposal.pk, bob if state == "withdrawn" else alice)
    assert Proposal.objects.get().state == state
    for decide in DECISIONS.values():
        user = bob if decide is DECISIONS["withdrawn"] else alice
        error = refused(Code.CONFLICT, decide, proposal.pk, user)
        assert state in error.detail
    refused(
        Code.CONFLICT,
        review.request_changes,
        proposal.pk,
        seen=1,
        text="Why?",
        actor=Actor.operator(alice),
    )
    review.comment(proposal.pk, text="Still", actor=Actor.operator(bob))
    assert Proposal.objects.get().state == state


def test_stale_revision_cannot_be_decided(alice: User, bob: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    revise(proposal.pk, WIDER, actor=Actor.operator(bob))
    for decide in (review.request_changes, review.reject, review.accept):
        error = refused(
            Code.PRECONDITION_FAILED,
            decide,
            proposal.pk,
            seen=1,
            text="No",
            actor=Actor.operator(alice),
        )
        assert "revision 2" in error.detail


def test_moved_tag_needs_a_new_revision(alice: User, bob: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    publish("acme/board", BOARD | {"num-cores": 2})
    error = refused(Code.CONFLICT, review.accept, proposal.pk, seen=1, actor=Actor.operator(alice))
    assert "1.0.0" in error.detail
    revise(proposal.pk, WIDER, actor=Actor.operator(bob), base=VersionNumber(1, 0, 0))
    assert accept(proposal, alice, seen=2).exact == "acme/board@2.0.0"


@pytest.mark.parametrize("is_prepared", [False, True])
def test_concurrent_decision_is_a_conflict(
    is_prepared: bool, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    prepare = publishing.prepare

    def prepare_slowly(*arguments: Any, **more: Any) -> Any:
        monkeypatch.undo()
        pending = prepare(*arguments, **more) if is_prepared else None
        publish("acme/board", BOARD | {"num-cores": 2})
        return pending or prepare(*arguments, **more)

    monkeypatch.setattr(publishing, "prepare", prepare_slowly)
    with pytest.raises(Refused) as error:
        review.accept(proposal.pk, seen=1, actor=Actor.operator(alice))
    assert error.value.code == Code.CONFLICT
    assert Version.objects.filter(tag__text="acme/board").count() == 1


def test_body_that_became_invalid_is_not_published(alice: User, bob: User) -> None:
    publish("acme/parent", BOARD)
    proposal = propose("acme/child", {"tag": "acme/parent", "num-cores": 2}, by="bob")
    publish("acme/parent", {"kind": "c"})
    refused(Code.BODY_INVALID, review.accept, proposal.pk, seen=1, actor=Actor.operator(alice))


def test_accepting_twice_with_one_key_publishes_once(alice: User, bob: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    versions = {accept(proposal, alice, key="k").pk for _ in range(2)}
    assert len(versions) == 1


def test_only_the_submitter_can_withdraw(alice: User, bob: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    refused(Code.FORBIDDEN, review.withdraw, proposal.pk, actor=Actor.operator(alice))
    review.withdraw(proposal.pk, actor=Actor.operator(bob), text="A mistake")
    assert Turn.objects.latest("pk").text == "A mistake"


@pytest.mark.parametrize("text", ["", "  \n", "bell \a", "\u202eback", "x" * 4001])
def test_reason_must_be_readable_text(text: str, alice: User, bob: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    for decide in (review.request_changes, review.reject):
        error = refused(
            Code.REQUEST_INVALID,
            decide,
            proposal.pk,
            seen=1,
            text=text,
            actor=Actor.operator(alice),
        )
        assert [fault.pointer for fault in error.faults] == ["/text"]
    refused(Code.REQUEST_INVALID, review.comment, proposal.pk, text=text, actor=Actor.operator(bob))


def test_number_of_comments_is_limited(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remarks, "MAX_REMARKS", 2)
    proposal = propose("acme/board", BOARD, by="bob")
    review.comment(proposal.pk, text="One", actor=Actor.operator(bob))
    refused(Code.CONFLICT, review.comment, proposal.pk, text="Two", actor=Actor.operator(bob))
    review.accept(proposal.pk, seen=1, actor=Actor.operator(alice))


def test_closing_an_account_withdraws_its_proposals(alice: User, bob: User) -> None:
    for number in range(3):
        propose(f"acme/board-{number}", BOARD, by="bob")
    review.reject(1, seen=1, text="No", actor=Actor.operator(alice))
    assert review.withdraw_all(bob) == 2
    states = Proposal.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["rejected", "withdrawn", "withdrawn"]


def test_unknown_proposal_is_rejected(alice: User) -> None:
    for decide in (review.accept, review.reject):
        refused(Code.PROPOSAL_UNKNOWN, decide, 99, seen=1, text="No", actor=Actor.operator(alice))
    refused(Code.PROPOSAL_UNKNOWN, review.withdraw, 99, actor=Actor.operator(alice))


def test_first_of_two_approves_the_target_that_was_seen(
    alice: User, carol: User, acme: Namespace
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    proposal = propose("acme/board", BOARD, by="bob")
    other = {"seen": 1, "actor": Actor(carol), "digest": "sha256:" + "0" * 64}
    refused(Code.PRECONDITION_FAILED, review.accept, proposal.pk, **other)
    assert not Turn.objects.filter(proposal=proposal, author=carol).exists()


@pytest.mark.usefixtures("acme")
def test_target_that_changes_after_it_was_drafted_is_not_published(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish("acme/parent", BOARD)
    proposal = propose("acme/board", {"tag": "acme/parent"}, by="bob")
    prepare = publishing.prepare

    def prepare_and_publish(*arguments: Any, **more: Any) -> Any:
        monkeypatch.undo()
        pending = prepare(*arguments, **more)
        publish("acme/parent", WIDER)
        return pending

    monkeypatch.setattr(publishing, "prepare", prepare_and_publish)
    digest = Version.objects.get(tag__text="acme/parent").digest
    with pytest.raises(Refused) as error:
        accept(proposal, alice, digest=digest)
    assert error.value.code == Code.PRECONDITION_FAILED
    assert not Version.objects.filter(tag__text="acme/board").exists()
