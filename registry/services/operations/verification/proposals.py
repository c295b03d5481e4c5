"""Checks of proposals: state and revision follow from their turns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from registry.domain.proposal_states import TRANSITIONS, ProposalAction, ProposalState
from registry.models import Proposal, Turn
from registry.services.operations.verification import Finding, Progress, in_batches, mismatch

TABLE = Proposal._meta.db_table
BY_TURNS = "from its turns,"


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield the findings of proposals. One query, and one per 500 proposals."""
    light = Proposal.objects.order_by("pk").select_related("version__tag")
    columns = ("tag", "state", "revision", "version__tag__text")
    for batch in in_batches(light.only(*columns), progress):
        turns: dict[int, list[Turn]] = defaultdict(list)
        all_turns = Turn.objects.filter(proposal__in=batch).order_by("proposal", "sequence")
        for turn in all_turns.only("proposal_id", "action", "revision"):
            turns[turn.proposal_id].append(turn)
        for proposal in batch:
            yield from _findings(proposal, turns[proposal.pk])


def _findings(proposal: Proposal, turns: Sequence[Turn]) -> Iterator[Finding]:
    row = str(proposal)
    state, revision = _replay(turns)
    if proposal.state != state:
        yield mismatch(TABLE, row, "state", proposal.state, state, by=BY_TURNS)
    if proposal.revision != revision:
        yield mismatch(TABLE, row, "revision", proposal.revision, revision, by=BY_TURNS)
    version = proposal.version
    if version and version.tag.text != proposal.tag:
        yield mismatch(TABLE, row, "version", version.tag.text, proposal.tag, by="one of")


def _replay(turns: Sequence[Turn]) -> tuple[str, int]:
    """Return the state and revision after some turns; an empty state if they are impossible."""
    state, revision = "", 0
    for turn in turns:
        action = ProposalAction(turn.action)
        if action is ProposalAction.SUBMIT:
            state = "" if state else ProposalState.OPEN
        else:
            state = TRANSITIONS[ProposalState(state)].get(action, "") if state else ""
        revision += action in (ProposalAction.SUBMIT, ProposalAction.REVISE)
    return state, revision
