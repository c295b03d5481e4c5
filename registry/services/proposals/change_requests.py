"""Changes that curators requested, until the submitter revises the proposal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import F

from registry.domain.proposal_states import ProposalAction, ProposalState
from registry.models import Proposal, Turn


def standing_requests(proposals: Iterable[Proposal | int]) -> Mapping[int, list[Turn]]:
    """Return the requests that each proposal, or its number, still has to answer. One query.

    Those of earlier revisions are answered. A proposal without one is missing.
    """
    turns = Turn.objects.filter(
        proposal__in=list(proposals),
        proposal__state=ProposalState.CHANGES_ASKED,
        revision=F("proposal__revision"),
        action=ProposalAction.ASK,
    )
    by_proposal: dict[int, list[Turn]] = {}
    for turn in turns.select_related("author").order_by("sequence"):
        by_proposal.setdefault(turn.proposal_id, []).append(turn)
    return by_proposal


def standing(proposal: Proposal, turns: Iterable[Turn]) -> list[Turn]:
    """Return the requests that a proposal still has to answer, from its turns. No query."""
    if proposal.state != ProposalState.CHANGES_ASKED:
        return []
    return [
        turn
        for turn in turns
        if turn.action == ProposalAction.ASK and turn.revision == proposal.revision
    ]
