"""Requests for changes stand until the submitter revises."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.proposals import listing, review, timeline
from tests.publishing import propose
from tests.services.proposals.test_submission import BOARD, WIDER, revise

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("bob")
def test_request_stands_until_the_next_revision(alice: User) -> None:
    proposal = propose("acme/board", BOARD, by="bob")
    assert timeline.requested_changes([proposal]) == {}
    review.request_changes(proposal.pk, seen=1, text="Cores?", actor=Actor.operator(alice))
    review.comment(proposal.pk, text="Soon.", actor=Actor.operator(proposal.submitter))
    detail = listing.proposal_detail(proposal.pk)
    standing = timeline.requested_changes([proposal.pk])[proposal.pk]
    assert [(turn.author.username, turn.text) for turn in standing] == [("alice", "Cores?")]
    assert timeline.unanswered(detail.proposal, detail.turns) == standing
    revise(proposal.pk, WIDER, actor=Actor.operator(proposal.submitter))
    detail = listing.proposal_detail(proposal.pk)
    assert timeline.requested_changes([proposal.pk]) == {}
    assert timeline.unanswered(detail.proposal, detail.turns) == []


@pytest.mark.usefixtures("bob")
def test_requests_of_many_proposals_take_one_query(alice: User) -> None:
    texts = {}
    for name in ("first", "second", "third"):
        proposal = propose(f"acme/{name}", BOARD, by="bob")
        texts[proposal.pk] = name
        review.request_changes(proposal.pk, seen=1, text=name, actor=Actor.operator(alice))
    with CaptureQueriesContext(connection) as queries:
        found = timeline.requested_changes(texts)
    assert len(queries) == 1
    assert {number: turn.text for number, [turn] in found.items()} == texts
