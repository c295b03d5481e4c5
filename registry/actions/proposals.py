"""Actions on proposals: comment, decide, withdraw, accept several.

Each form holds the revision that was `seen`, so that nobody decides on a revision they have not
read, and an idempotency `key`, so that a form sent twice has one effect.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from django import forms

from registry.actions.action_form import ActionForm, Outcome, Route
from registry.actions.fields import (
    COMMENT_REQUEST,
    CommentField,
    KeyField,
    RevisionField,
    SeenDigestField,
    new_key,
)
from registry.actions.subjects import PROPOSAL
from registry.domain import proposal_states
from registry.domain.errors import Code
from registry.domain.proposal_states import ProposalAction, ProposalState
from registry.http.problems import BODY_CODES
from registry.models import Proposal, User
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.proposals import approvals, bulk_review, review, submission
from registry.services.proposals.bulk_review import SeenRevision, SelectedProposal
from registry.services.proposals.evaluation import Evaluation
from ttag_rules.selectors import DIGEST

PAIR = re.compile(  # a proposal with its revision, and perhaps the digest of the target
    rf"([0-9]{{1,9}}):([0-9]{{1,9}})(?::({DIGEST.pattern}))?", re.ASCII
)
MAX_ECHOED = 40  # characters of an invalid pair in its error
DECISION = ("DecisionRequest", "A decision about a revision, with its reason.")


class ReviewAction(ActionForm):
    """An action on a proposal; its slug is the step."""

    subject_type = PROPOSAL
    permission: ClassVar[Action] = Action.REVIEW
    template = "registry/proposals/action.html"
    access_key: ClassVar[str] = ""  # with the browser's modifier, on the page of the proposal
    seen = RevisionField(is_passed=False)
    key = KeyField()
    field_order = ("text",)

    @classmethod
    def is_available(cls, subject: Proposal) -> bool:
        """Return whether the state of the proposal allows the action."""
        return ProposalAction(cls.slug) in proposal_states.TRANSITIONS[ProposalState(subject.state)]

    @classmethod
    def refuse(cls, subject: Proposal, actor: Actor) -> None:
        """Raise `Refused` if the actor or the proposal's state does not permit the action."""
        permissions.require(actor, cls.permission, PROPOSAL.owner_of(subject))
        cls.refuse_person(subject, actor)
        proposal_states.next_state(ProposalState(subject.state), ProposalAction(cls.slug))

    @classmethod
    def refuse_person(cls, subject: Proposal, actor: Actor) -> None:
        """Raise `Refused` for somebody who may take the action, but not on this proposal."""

    @classmethod
    def initial_values(cls, subject: Proposal, actor: Actor) -> dict[str, Any]:
        return {"seen": subject.revision, "key": new_key()}


class Comment(ReviewAction):
    """Add a comment, in any state of the proposal."""

    slug = "comment"
    permission = Action.PROPOSE
    service = review.comment
    done = "Your comment was added."
    button = "Comment"
    effect = "Add comment"
    preposition = " on "
    consequence = "Comments are public and cannot be deleted."
    route = Route("Comment on a proposal", *COMMENT_REQUEST)
    text = CommentField("Comment", "Plain text; https links become clickable.")


class RequestChanges(ReviewAction):
    """Request changes from the submitter."""

    slug = "ask"
    access_key = "c"
    service = review.request_changes
    done = "Changes requested: proposal {0} waits for {1.proposal.submitter}."
    button = "Request changes"
    preposition = " to "
    consequence = "The proposal then waits for its submitter to revise or withdraw it."
    route = Route("Request changes to a proposal", *DECISION, codes=(Code.PRECONDITION_FAILED,))
    text = CommentField("Requested changes", "Public; for the submitter.")
    seen = RevisionField()


class Accept(ReviewAction):
    """Publish the proposal, credited to its submitter, or approve it as the first of two."""

    slug = "accept"
    access_key = "a"
    button = "Accept"
    effect = "Accept and publish"
    consequence = (
        "Once accepted, the body is the tag's next version, credited to its submitter. Published "
        "versions never change."
    )
    route = Route(
        "Accept and publish a proposal",
        "AcceptRequest",
        "The acceptance of a revision.",
        codes=BODY_CODES,
        statuses=(201, 202),
    )
    text = CommentField("Comment", "For the submitter; optional.", required=False)
    seen = RevisionField()
    digest = SeenDigestField()

    @cached_property
    def publishes(self) -> bool:
        """Return whether accepting it publishes it, or is the first of two approvals."""
        return approvals.would_publish(self.subject, self.actor.user)

    @cached_property
    def submit_label(self) -> str:
        """Return what the button does."""
        return self.effect if self.publishes else "Accept as the first of two"

    @classmethod
    def refuse_person(cls, subject: Proposal, actor: Actor) -> None:
        """Raise `Refused` for somebody who has accepted the revision already."""
        approvals.refuse_approved(subject, actor.user)

    @classmethod
    def perform(cls, number: int, *, seen: int, **values: Any) -> Outcome:
        version = review.accept(number, seen=seen, **values)
        if version is None:
            message = (
                f"You accepted revision {seen} of proposal {number}. It is published once another "
                "curator, an owner or staff accepts it."
            )
            return Outcome(message, status=202)
        credit = f", credited to {version.author}" if version.author else ""
        return Outcome(f"{version.exact} is published{credit}.", version, 201, version.exact)


class Reject(ReviewAction):
    """Reject the proposal permanently, with a reason."""

    slug = "reject"
    access_key = "r"
    service = review.reject
    done = "Proposal {0} is rejected."
    button = "Reject"
    effect = "Reject proposal"
    consequence = "This cannot be undone; the change would have to be proposed again."
    route = Route("Reject a proposal", *DECISION, codes=(Code.PRECONDITION_FAILED,))
    text = CommentField("Reason", "Public; for the submitter.")
    seen = RevisionField()


class Withdraw(ReviewAction):
    """Withdraw a proposal permanently."""

    slug = "withdraw"
    permission = Action.PROPOSE
    service = review.withdraw
    done = "Proposal {0} is withdrawn."
    button = "Withdraw"
    effect = "Withdraw proposal"
    consequence = "This cannot be undone; its history stays. You can propose the change again."
    route = Route("Withdraw your own proposal", "WithdrawRequest", "The withdrawal of a proposal.")
    text = CommentField("Reason", "Optional.", required=False)

    @classmethod
    def refuse_person(cls, subject: Proposal, actor: Actor) -> None:
        """Raise `Refused` for everyone but the submitter."""
        submission.refuse_others(subject, actor.user, "withdraw")


DECISIONS: tuple[type[ReviewAction], ...] = (Accept, RequestChanges, Reject)


def available_decisions(
    proposal: Proposal, user: User, evaluation: Evaluation | None
) -> list[type[ReviewAction]]:
    """Return the decisions to offer to a user who may review, for a proposal as evaluated now.

    Without accepting what would be refused, or what the user has approved as the first of two.
    """
    is_blocked = evaluation is not None and not evaluation.can_be_accepted
    has_accept = not is_blocked and not approvals.is_approved(proposal, by=user)
    return [
        decision
        for decision in DECISIONS
        if decision.is_available(proposal) and (has_accept or decision is not Accept)
    ]


class SelectedProposalsField(forms.Field):
    """The selected proposals, each as `number:revision:digest` of what was seen.

    Lists state no digest: they show no target.
    """

    widget = forms.MultipleHiddenInput
    default_error_messages = {"required": "Select the proposals to accept."}

    def clean(self, value: Any) -> list[SeenRevision]:
        """Return each pair once, ordered by number."""
        texts = list(dict.fromkeys(super().clean(value)))
        if len(texts) > bulk_review.MAX_SELECTED:
            raise forms.ValidationError(
                f"{len(texts)} proposals are selected: at most {bulk_review.MAX_SELECTED} at once."
            )
        return sorted(map(_pair, texts), key=lambda pair: pair.number)


def _pair(text: str) -> SeenRevision:
    match = PAIR.fullmatch(text)
    if match is None:
        raise forms.ValidationError(
            f"{text[:MAX_ECHOED]!r} is not a proposal with its revision, such as 12:1."
        )
    return SeenRevision(int(match[1]), int(match[2]), match[3] or "")


class AcceptSelected(ActionForm):
    """Publish the selected proposals without open questions."""

    slug = "accept-selected"
    permission = Action.REVIEW
    button = "Accept and publish selected"
    consequence = (
        "Each proposal is published as its tag's next version and credited to its submitter. "
        "Proposals that need a closer look by then are skipped. Published versions never change."
    )
    selected = SelectedProposalsField()

    def candidates(self) -> Sequence[SelectedProposal]:
        """Evaluate the selected proposals for the confirmation page."""
        return bulk_review.evaluate(self.cleaned_data["selected"], actor=self.actor)

    @classmethod
    def perform(cls, *, selected: list[SeenRevision], actor: Actor) -> Outcome:
        return Outcome("", bulk_review.accept_plain(selected, actor=actor))
