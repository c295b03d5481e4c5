"""One turn of a proposal: the step that it takes, what is said of it, and its event."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from registry.domain import proposal_states, user_text
from registry.domain.errors import Code, Refused, echo, refuse_all
from registry.domain.proposal_states import ProposalAction
from registry.domain.reference import Tag as TagName
from registry.models import Proposal, Turn, User, Version
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor, Permission
from registry.services.core.transactions import append_event

MAX_TEXT = 4000  # characters of one turn: a page of reasons
MAX_TURNS = 1000  # after which there are no comments any more: they are shown on one page
EVENTS = {
    ProposalAction.SUBMIT: "proposal.submitted",
    ProposalAction.REVISE: "proposal.revised",
    ProposalAction.COMMENT: "proposal.commented",
    ProposalAction.ASK: "proposal.changes_asked",
    ProposalAction.ACCEPT: "proposal.accepted",
    ProposalAction.REJECT: "proposal.rejected",
    ProposalAction.WITHDRAW: "proposal.withdrawn",
}


def find_proposal(number: int) -> Proposal:
    """The proposal of a number. Raises `Refused` (PROPOSAL_UNKNOWN)."""
    found = Proposal.objects.select_related("namespace", "submitter").filter(pk=number).first()
    if found is None:
        raise Refused(Code.PROPOSAL_UNKNOWN, f"There is no proposal {echo(number)}.")
    return found


def require_permission(
    actor: Actor | None, action: Action, number: int
) -> tuple[Permission, Proposal]:
    """Return a proposal, and the permission of an actor to do something to it.

    Nobody learns whether there is one without saying who they are. Raises `Refused`:
    UNAUTHENTICATED, PROPOSAL_UNKNOWN, FORBIDDEN.
    """
    permissions.authenticated(actor)
    proposal = find_proposal(number)
    return permissions.require(actor, action, TagName.parse(proposal.tag)), proposal


def earlier_turn(
    author: User, key: str, act: ProposalAction, number: int | None = None
) -> Turn | None:
    """What a form that is sent twice did the first time; None for one that is new, or has no key.

    It holds inside `exclusive`; before that, it spares the work. Raises `Refused` (CONFLICT) for a
    key that has been used for another act, or for the same to another proposal.
    """
    if not key:
        return None
    held = Turn.objects.filter(author=author, key=key)
    turn = held.select_related("proposal__version", "proposal__namespace").first()
    if turn and (turn.act != act or number not in (None, turn.proposal_id)):
        raise Refused(
            Code.CONFLICT,
            f"The key {key} has been used to {turn.act} proposal {turn.proposal_id}.",
        )
    return turn


def check_text(text: str, *, needed: bool) -> str:
    """A text as it is kept. Raises `Refused` (REQUEST_INVALID) for one that cannot stand."""
    text = user_text.strip_text(text)
    refuse_all(user_text.text_faults(text, "/text", most=MAX_TEXT, needed=needed, lines=True))
    return text


def refuse_impossible(proposal: Proposal, act: ProposalAction) -> None:
    """Raise `Refused` (CONFLICT) for an act that is not done in a proposal's state."""
    proposal_states.next_state(proposal_states.ProposalState(proposal.state), act)


def refuse_stale(proposal: Proposal, seen: int) -> None:
    """Raise `Refused` (PRECONDITION_FAILED) where another revision is the newest than was seen."""
    if proposal.revision != seen:
        raise Refused(
            Code.PRECONDITION_FAILED,
            f"You looked at revision {seen} of proposal {proposal.pk}; revision "
            f"{proposal.revision} is the newest. Look at what changed, then try again.",
        )


def append_turn(
    proposal: Proposal,
    act: ProposalAction,
    *,
    by: User,
    text: str = "",
    key: str = "",
    version: Version | None = None,
) -> Turn:
    """Let a proposal take the step that an act leads to. Call inside `exclusive`.

    Raises `Refused` (CONFLICT) where the act is not done in its state, or nobody would read on.
    """
    before = proposal.state
    sequence = Turn.objects.filter(proposal=proposal).count() + 1
    if act is ProposalAction.COMMENT and sequence > MAX_TURNS:
        raise Refused(Code.CONFLICT, f"{proposal} has {MAX_TURNS} turns: too many to add another.")
    if act is not ProposalAction.SUBMIT:
        proposal.state = proposal_states.next_state(proposal_states.ProposalState(before), act)
    proposal.version = version or proposal.version
    proposal.changed = timezone.now()
    proposal.save()
    turn = Turn.objects.create(
        proposal=proposal,
        sequence=sequence,
        act=act,
        revision=proposal.revision,
        text=text,
        author=by,
        key=key,
    )
    detail: dict[str, Any] = {
        "proposal": proposal.pk,
        "revision": proposal.revision,
        "before": before if act is not ProposalAction.SUBMIT else None,
        "after": proposal.state,
    }
    if version:
        detail["version"] = version.exact
    append_event(EVENTS[act], proposal.tag, actor=by, namespace=proposal.namespace.name, **detail)
    return turn
