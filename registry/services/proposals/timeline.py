"""The turns of a proposal: looks it up, checks a step, and appends the turn and its event.

Changes that curators request are turns too; a revision answers those before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import F
from django.utils import timezone

from registry.domain import proposal_states
from registry.domain.errors import Code, Refused, echo
from registry.domain.proposal_states import ProposalAction, ProposalState
from registry.domain.reference import Tag as TagName
from registry.models import Proposal, Turn, User, Version
from registry.services.core import permissions, remarks
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor, Permission
from registry.services.event_log.appending import append_event

EVENTS = {
    ProposalAction.SUBMIT: "proposal.submitted",
    ProposalAction.REVISE: "proposal.revised",
    ProposalAction.COMMENT: "proposal.commented",
    ProposalAction.ASK: "proposal.changes_asked",
    ProposalAction.APPROVE: "proposal.approved",
    ProposalAction.ACCEPT: "proposal.accepted",
    ProposalAction.REJECT: "proposal.rejected",
    ProposalAction.WITHDRAW: "proposal.withdrawn",
}


def find_proposal(number: int) -> Proposal:
    """Return the proposal with a number. Raises `Refused` (PROPOSAL_UNKNOWN)."""
    proposal = Proposal.objects.select_related("namespace", "submitter").filter(pk=number).first()
    if proposal is None:
        raise Refused(Code.PROPOSAL_UNKNOWN, f"There is no proposal {echo(number)}.")
    return proposal


def require_permission(
    actor: Actor | None, action: Action, number: int
) -> tuple[Permission, Proposal]:
    """Return the actor's permission for an action on a proposal, and the proposal.

    Raises `Refused`: UNAUTHENTICATED, checked first; PROPOSAL_UNKNOWN; FORBIDDEN.
    """
    permissions.authenticated(actor)
    proposal = find_proposal(number)
    return permissions.require(actor, action, TagName.parse(proposal.tag)), proposal


def earlier_turn(
    author: User,
    key: str,
    step: ProposalAction,
    number: int | None = None,
    *,
    text: str = "",
    seen: int | None = None,
) -> Turn | None:
    """Return the turn of a form that was submitted before; None if it is new or has no key.

    Reliable only under the write lock. Raises `Refused` (CONFLICT) if the key was used for another
    action, another proposal or another text, or to decide on another revision than was `seen`.
    """
    turns = Turn.objects.select_related("proposal__version", "proposal__namespace")
    turn = remarks.sent_before(turns, author, key)
    if turn and (_request_of(turn) != step or number not in (None, turn.proposal_id)):
        raise Refused(
            Code.CONFLICT,
            f"The key {key} was already used to {turn.action} proposal {turn.proposal_id}.",
        )
    if turn and seen not in (None, turn.revision):
        raise Refused(
            Code.CONFLICT, f"The key {key} was already used for revision {turn.revision}."
        )
    if turn:
        remarks.refuse_other_text(turn, text)
    return turn


def _request_of(turn: Turn) -> str:
    """Return the action that was requested: an approval is what accepting was at the time."""
    return ProposalAction.ACCEPT if turn.action == ProposalAction.APPROVE else turn.action


def refuse_impossible(proposal: Proposal, step: ProposalAction) -> None:
    """Raise `Refused` (CONFLICT) if the proposal's state does not allow a step."""
    proposal_states.next_state(proposal_states.ProposalState(proposal.state), step)


def refuse_stale(proposal: Proposal, seen: int) -> None:
    """Raise `Refused` (PRECONDITION_FAILED) if the revision seen is not the newest."""
    if proposal.revision != seen:
        raise Refused(
            Code.PRECONDITION_FAILED,
            f"You reviewed revision {seen} of proposal {proposal.pk}, but the newest is revision "
            f"{proposal.revision}. Review the changes, then try again.",
        )


def append_turn(
    proposal: Proposal,
    step: ProposalAction,
    *,
    author: User,
    text: str = "",
    key: str = "",
    version: Version | None = None,
) -> Turn:
    """Append a turn, its event and the new state of a proposal. Call under the write lock.

    Raises `Refused` (CONFLICT) if the state does not allow it, or there are too many turns.
    """
    before = proposal.state
    sequence = remarks.next_sequence(
        proposal.turns.all(), proposal, is_comment=step is ProposalAction.COMMENT
    )
    if step is not ProposalAction.SUBMIT:
        proposal.state = proposal_states.next_state(proposal_states.ProposalState(before), step)
    proposal.version = version or proposal.version
    proposal.changed = timezone.now()
    proposal.save()
    turn = Turn.objects.create(
        proposal=proposal,
        sequence=sequence,
        action=step,
        revision=proposal.revision,
        text=text,
        author=author,
        key=key,
    )
    detail: dict[str, Any] = {
        "proposal": proposal.pk,
        "revision": proposal.revision,
        "before": before if step is not ProposalAction.SUBMIT else None,
        "after": proposal.state,
    }
    if version:
        detail["version"] = version.exact
    append_event(EVENTS[step], proposal.tag, actor=author, **detail)
    return turn


def requested_changes(proposals: Iterable[Proposal | int]) -> Mapping[int, list[Turn]]:
    """Return the changes that each proposal, or its number, still lacks. One query.

    Those asked of earlier revisions are made. A proposal without one is missing.
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


def unanswered(proposal: Proposal, turns: Iterable[Turn]) -> list[Turn]:
    """Return the turns that asked for changes which a proposal still lacks, among all. No query."""
    if proposal.state != ProposalState.CHANGES_ASKED:
        return []
    return [
        turn
        for turn in turns
        if turn.action == ProposalAction.ASK and turn.revision == proposal.revision
    ]
