"""Approvals of proposals: under four-eyes, two people who may review accept the same revision.

Whoever submits a revision with credentials that could accept it is the first of the two. A token
that only proposes, such as that of a CI job, is not: others than its owner may be able to use it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from registry.domain.errors import Code, Refused
from registry.domain.proposal_states import ProposalAction
from registry.domain.reference import Tag as TagName
from registry.models import Policy, Proposal, Turn, User
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.proposals import timeline


def needs_two(proposal: Proposal) -> bool:
    """Return whether two people have to accept a proposal before it is published."""
    return proposal.namespace.policy == Policy.FOUR_EYES


def is_approved(proposal: Proposal, *, by: User) -> bool:
    """Return whether a user was the first of two to accept the newest revision."""
    approvals = _approvals(proposal, proposal.revision).filter(author=by)
    return needs_two(proposal) and approvals.exists()


def not_approved(proposals: QuerySet[Proposal], *, by: User) -> QuerySet[Proposal]:
    """Return the proposals among some of which `is_approved` is false."""
    own = _approvals(OuterRef("pk"), OuterRef("revision")).filter(author=by)
    return proposals.exclude(Q(Exists(own), namespace__policy=Policy.FOUR_EYES))


# Decision 109: an account may be a second one of its owner, so both must be able to review.
def would_publish(proposal: Proposal, user: User) -> bool:
    """Return whether the proposal is published if the user accepts it.

    Under four-eyes, only if somebody else has, and may still review.
    """
    if not needs_two(proposal):
        return True
    tag = TagName.parse(proposal.tag)
    approvals = _approvals(proposal, proposal.revision)
    others = approvals.exclude(author=user).select_related("author")
    return any(permissions.allowed(Actor(turn.author), Action.REVIEW, tag) for turn in others)


def approve_submitted(proposal: Proposal, submitter: Actor) -> None:
    """Append an approval if the newest revision was submitted by somebody who could accept it.

    Call under the write lock, once the revision is in the history.
    """
    account = replace(submitter, is_operator=False)
    if needs_two(proposal) and permissions.allowed(
        account, Action.REVIEW, TagName.parse(proposal.tag)
    ):
        timeline.append_turn(proposal, ProposalAction.APPROVE, author=submitter.user)


def refuse_approved(proposal: Proposal, user: User) -> None:
    """Raise `Refused` (FORBIDDEN) if somebody else has to accept what the user has approved."""
    if not is_approved(proposal, by=user):
        return
    if proposal.submitter_id == user.pk:
        raise Refused(
            Code.FORBIDDEN,
            f"You cannot accept your own proposal in {proposal.namespace}; another curator can.",
        )
    raise Refused(
        Code.FORBIDDEN,
        f"You have accepted revision {proposal.revision} of {proposal} already; another curator, "
        "an owner or staff has to accept it, too.",
    )


def _approvals(proposal: Any, revision: Any) -> QuerySet[Turn]:
    return Turn.objects.filter(proposal=proposal, action=ProposalAction.APPROVE, revision=revision)
