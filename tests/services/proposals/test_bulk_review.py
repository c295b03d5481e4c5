"""Bulk review publishes plain proposals and skips the others."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.proposal_states import ProposalState
from registry.domain.reference import Tag
from registry.models import Event, Namespace, Policy, Proposal, Role, User, Version
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.proposals import bulk_review, review, submission
from registry.services.proposals.bulk_review import BulkResult, SeenRevision
from tests.publishing import last_published, publish, yank

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 4}


@pytest.fixture
def bob(acme: Namespace) -> User:
    """Return a user without a role in acme."""
    return User.objects.create_user("bob")


def propose(tag: str, body: Any, actor: User) -> SeenRevision:
    proposal = submission.propose(
        Tag.parse(tag),
        json.dumps(body),
        message="",
        base=last_published(tag),
        actor=Actor.operator(actor),
    )
    return SeenRevision(proposal.pk, proposal.revision)


def board(cores: int) -> dict[str, Any]:
    return BOARD | {"num-cores": cores, "mcpu": "skylake"}


def objections(result: BulkResult) -> list[str]:
    return [candidate.objection for candidate in result.skipped]


def test_plain_proposals_are_published_and_credit_the_submitter(alice: User, bob: User) -> None:
    pairs = [propose(f"acme/b{index}", board(40 + index), bob) for index in range(3)]
    result = bulk_review.accept_plain(pairs, actor=Actor.operator(alice))
    assert result.skipped == ()
    assert [pair for pair, _ in result.published] == pairs
    references = [version.exact for _, version in result.published]
    assert references == ["acme/b0@1.0.0", "acme/b1@1.0.0", "acme/b2@1.0.0"]
    assert {version.author for _, version in result.published} == {bob}
    assert set(Proposal.objects.values_list("state", flat=True)) == {ProposalState.ACCEPTED}
    assert Event.objects.filter(action="proposal.accepted", actor=alice).count() == 3


@pytest.mark.parametrize(
    ("reference", "other", "is_published"),
    [
        ("acme/base", "acme/base", False),
        ("acme/base@1.0.0", "acme/base", True),
        ("acme/base", "acme/other", True),
    ],
)
def test_proposal_is_skipped_if_its_target_is_not_the_one_that_was_shown(
    alice: User, bob: User, reference: str, other: str, is_published: bool
) -> None:
    publish("acme/base", board(20))
    pair = propose("acme/b", {"tag": reference, "num-cores": 21}, bob)
    actor = Actor.operator(alice)
    (candidate,) = bulk_review.evaluate([pair], actor=actor)
    assert str(candidate.shown).startswith(f"{pair}:sha256:")
    publish(other, board(20) | {"mattr": ["+adx"]})
    result = bulk_review.accept_plain([candidate.shown], actor=actor)
    assert bool(result.published) is is_published
    if not is_published:
        (reason,) = objections(result)
        assert reason.startswith("What it refers to has changed since it was selected")
        assert bulk_review.accept_plain([pair], actor=actor).published, "the pair of a list"


def test_second_proposal_for_a_tag_is_skipped_because_the_tag_has_moved(
    alice: User, bob: User
) -> None:
    pairs = [propose("acme/b", board(cores), bob) for cores in (41, 42)]
    result = bulk_review.accept_plain(pairs, actor=Actor.operator(alice))
    assert [pair for pair, _ in result.published] == pairs[:1]
    assert objections(result) == ["The tag has moved to 1.0.0."]
    assert Proposal.objects.get(pk=pairs[1].number).state == ProposalState.OPEN


def test_second_proposal_with_the_same_target_is_skipped_for_its_lint(
    alice: User, bob: User
) -> None:
    pairs = [propose(tag, board(43), bob) for tag in ("acme/b", "acme/c")]
    result = bulk_review.accept_plain(pairs, actor=Actor.operator(alice))
    assert [version.exact for _, version in result.published] == ["acme/b@1.0.0"]
    assert objections(result) == ["1 lint."]


def test_proposal_with_dependents_is_skipped(alice: User, bob: User) -> None:
    publish("acme/soc", board(44))
    publish("acme/kit", {"tag": "acme/soc", "num-cores": 3})
    pair = propose("acme/soc", board(45), bob)
    assert objections(bulk_review.accept_plain([pair], actor=Actor.operator(alice))) == [
        "1 dependent."
    ]
    assert last_published("acme/soc") == Version.objects.get(tag__text="acme/soc").number


@pytest.mark.parametrize("decide", [review.reject, review.request_changes])
def test_decided_proposal_is_skipped(alice: User, bob: User, decide: Any) -> None:
    pair = propose("acme/b", board(46), bob)
    decide(pair.number, seen=1, text="no", actor=Actor.operator(alice))
    result = bulk_review.accept_plain([pair], actor=Actor.operator(alice))
    assert objections(result)[0].startswith("It is no longer open: ")
    assert result.published == ()


def test_resent_form_publishes_once(alice: User, bob: User) -> None:
    pair = propose("acme/b", board(47), bob)
    bulk_review.accept_plain([pair], actor=Actor.operator(alice))
    assert objections(bulk_review.accept_plain([pair], actor=Actor.operator(alice))) == [
        "It is no longer open: accepted."
    ]
    assert Version.objects.filter(tag__text="acme/b").count() == 1


def test_unseen_revision_is_skipped(alice: User, bob: User) -> None:
    pair = propose("acme/b", board(48), bob)
    submission.revise(
        pair.number, json.dumps(board(49)), message="", base=None, seen=1, actor=Actor.operator(bob)
    )
    assert objections(bulk_review.accept_plain([pair], actor=Actor.operator(alice))) == [
        "Revision 2 is the newest; revision 1 was selected."
    ]


def test_proposal_under_four_eyes_is_skipped(alice: User, bob: User, acme: Namespace) -> None:
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor.operator(alice))
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    pairs = [propose("acme/b", board(50), bob), propose("acme/c", board(51), alice)]
    result = bulk_review.accept_plain(pairs, actor=Actor.operator(bob))
    assert result.published == ()
    assert objections(result) == ["acme is under four-eyes: accept it on its own page."] * 2


def test_unknown_proposal_is_skipped(alice: User) -> None:
    result = bulk_review.accept_plain([SeenRevision(999_999, 1)], actor=Actor.operator(alice))
    assert objections(result) == ["There is no proposal 999999."]


def test_invalid_proposal_is_skipped_with_its_error(alice: User, bob: User) -> None:
    publish("acme/base", BOARD)
    pair = propose("acme/b", {"tag": "acme/base@1", "num-cores": 52}, bob)
    yank("acme/base@1.0.0")
    (objection,) = objections(bulk_review.accept_plain([pair], actor=Actor.operator(alice)))
    assert objection.startswith("Invalid: ")


def test_number_of_queries_does_not_depend_on_the_number_of_proposals(
    alice: User, bob: User
) -> None:
    def count_queries(pairs: list[SeenRevision]) -> int:
        with CaptureQueriesContext(connection) as queries:
            candidates = bulk_review.evaluate(pairs, actor=Actor.operator(alice))
        assert [candidate.objection for candidate in candidates] == [""] * len(pairs)
        return len(queries)

    pairs = [propose(f"acme/b{index}", board(60 + index), bob) for index in range(9)]
    count_queries(pairs[:1])
    assert count_queries(pairs) == count_queries(pairs[:1])
