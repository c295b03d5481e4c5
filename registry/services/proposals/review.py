"""Decisions on proposals: accept, request changes, reject, withdraw, comment.

Checks the review permission, and under four-eyes who has accepted, again under the write lock.
"""

from __future__ import annotations

import json
from functools import partial

from registry.domain.errors import Code, Refused
from registry.domain.proposal_states import ProposalAction
from registry.domain.reference import Tag as TagName
from registry.models import Proposal, ProposalRevision, Turn, User, Version
from registry.services.core import remarks
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.state_tokens import refuse_changed
from registry.services.core.transactions import authorized_write
from registry.services.namespaces import four_eyes
from registry.services.proposals import approvals, timeline
from registry.services.proposals.submission import last_published, refuse_others
from registry.services.versions import publishing
from registry.services.versions.publishing import Pending
from ttag_rules.version_number import VersionNumber


def accept(
    number: int,
    *,
    seen: int,
    actor: Actor | None,
    text: str = "",
    key: str = "",
    digest: str = "",
) -> Version | None:
    """Publish the revision `seen` of a proposal, credited to its submitter.

    Under four-eyes, the first of two people only approves it, and None is returned. Raises
    `Refused`: CONFLICT if the proposal is decided, or the tag has moved since the revision's base;
    PRECONDITION_FAILED if the revision is stale, or its target has not the `digest`, if stated,
    that the curator has seen; FORBIDDEN if the curator has approved it already,
    also by submitting it; and as publishing does.
    """
    permission, _ = timeline.require_permission(actor, Action.REVIEW, number)
    curator = permission.user
    text = remarks.check_text(text, needed=False)
    earlier = partial(
        timeline.earlier_turn, curator, key, ProposalAction.ACCEPT, number, text=text, seen=seen
    )
    if turn := earlier():
        return turn.proposal.version
    revision = _acceptable_revision(number, seen, curator)
    try:
        pending = _prepare(revision)
    except Refused:
        _acceptable_revision(number, seen, curator)  # may have been decided meanwhile
        raise
    with authorized_write(permission):
        if turn := earlier():
            return turn.proposal.version
        proposal = _acceptable_revision(number, seen, curator).proposal
        if not approvals.would_publish(proposal, curator):
            _refuse_other_target(digest, pending.draft.digest)
            timeline.append_turn(
                proposal, ProposalAction.APPROVE, author=curator, text=text, key=key
            )
            return None
        version = publishing.finish(pending, publisher=curator, author_id=proposal.submitter_id)
        _refuse_other_target(digest, version.digest)  # and store nothing
        timeline.append_turn(
            proposal, ProposalAction.ACCEPT, author=curator, text=text, key=key, version=version
        )
        four_eyes.record_staff_decision(proposal.namespace, curator, proposal)
    return version


def _acceptable_revision(number: int, seen: int, curator: User) -> ProposalRevision:
    """Return the revision if the curator may accept it. Raises `Refused`."""
    proposal = timeline.find_proposal(number)
    timeline.refuse_impossible(proposal, ProposalAction.ACCEPT)
    approvals.refuse_approved(proposal, curator)
    timeline.refuse_stale(proposal, seen)
    revision = ProposalRevision.objects.get(proposal=proposal, number=seen)
    revision.proposal = proposal
    _refuse_moved(revision)
    return revision


def _prepare(revision: ProposalRevision) -> Pending:
    return publishing.prepare(
        TagName.parse(revision.proposal.tag),
        revision.source,
        message=revision.message,
        sources=json.loads(revision.sources),
        expected=VersionNumber.parse(revision.base) if revision.base else None,
    )


def request_changes(
    number: int, *, seen: int, text: str, actor: Actor | None, key: str = ""
) -> Turn:
    """Request changes from the submitter. Raises `Refused` as `reject`."""
    return _append(number, ProposalAction.ASK, Action.REVIEW, text, actor=actor, key=key, seen=seen)


def reject(number: int, *, seen: int, text: str, actor: Actor | None, key: str = "") -> Turn:
    """Reject a proposal with a reason.

    Raises `Refused`: REQUEST_INVALID without a reason, PRECONDITION_FAILED if the revision is
    stale, CONFLICT if the proposal is decided.
    """
    return _append(
        number, ProposalAction.REJECT, Action.REVIEW, text, actor=actor, key=key, seen=seen
    )


def withdraw(number: int, *, actor: Actor | None, text: str = "", key: str = "") -> Turn:
    """Withdraw a proposal. Raises `Refused`: FORBIDDEN if somebody else submitted it, CONFLICT."""
    return _append(
        number, ProposalAction.WITHDRAW, Action.PROPOSE, text, actor=actor, key=key, needed=False
    )


def comment(number: int, *, text: str, actor: Actor | None, key: str = "") -> Turn:
    """Comment on a proposal in any state. Raises `Refused` (REQUEST_INVALID) without text."""
    return _append(number, ProposalAction.COMMENT, Action.PROPOSE, text, actor=actor, key=key)


def withdraw_all(user: User) -> int:
    """Withdraw all proposals of a closed account; return how many. Call under the write lock."""
    proposals = Proposal.objects.undecided().filter(submitter=user).select_related("namespace")
    for proposal in proposals:
        timeline.append_turn(
            proposal, ProposalAction.WITHDRAW, author=user, text="The account was closed."
        )
    return len(proposals)


def _append(
    number: int,
    step: ProposalAction,
    action: Action,
    text: str,
    *,
    actor: Actor | None,
    key: str,
    seen: int | None = None,
    needed: bool = True,
) -> Turn:
    permission, proposal = timeline.require_permission(actor, action, number)
    if step is ProposalAction.WITHDRAW:
        refuse_others(proposal, permission.user, "withdraw")
    text = remarks.check_text(text, needed=needed)
    with authorized_write(permission):
        if turn := timeline.earlier_turn(permission.user, key, step, number, text=text, seen=seen):
            return turn
        proposal = timeline.find_proposal(number)
        timeline.refuse_impossible(proposal, step)
        if seen is not None:
            timeline.refuse_stale(proposal, seen)
        return timeline.append_turn(proposal, step, author=permission.user, text=text, key=key)


# Decision 198: an acceptance publishes what its form showed.
def _refuse_other_target(seen: str, current: str) -> None:
    """Raise `Refused` (PRECONDITION_FAILED) if a floating reference selects another version now."""
    refuse_changed(
        seen,
        current,
        "What the proposal refers to has changed since you read it, and its target with it. "
        "Review the target as it is now, then try again.",
    )


def _refuse_moved(revision: ProposalRevision) -> None:
    proposal = revision.proposal
    last = last_published(TagName.parse(proposal.tag))
    if revision.has_moved(last):
        raise Refused(
            Code.CONFLICT,
            f"{proposal.tag} has moved: the last published version is {last}, but the base of "
            f"revision {revision.number} is {revision.base or 'none'}. "
            f"{proposal.submitter} must revise the proposal.",
        )
