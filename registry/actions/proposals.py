"""Actions on proposals: comment, decide, withdraw.

Each form holds the revision that was `seen`, so that nobody decides on a revision they have not
read, and an idempotency `key`, so that a form sent twice has one effect.
"""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import uuid4

from django import forms

from registry.actions.action_form import ActionForm, Outcome, Route
from registry.actions.fields import ParagraphField, RevisionField, seen_revision
from registry.actions.subjects import PROPOSAL
from registry.domain import proposal_states
from registry.domain.errors import Code
from registry.domain.proposal_states import ProposalState
from registry.http.problems import BODY_CODES, PROBLEMS
from registry.http.request_members import ProseMember
from registry.models import Proposal
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.proposals import approvals, review, submission
from registry.services.proposals.timeline import MAX_TEXT

DECISION = ("DecisionRequest", "A decision about a revision, with its reason.")


class CommentField(ParagraphField):
    """A public comment of several lines for the history of the proposal."""

    def __init__(self, label: str, help_text: str = "", *, required: bool = True) -> None:
        member = ProseMember(MAX_TEXT, is_multiline=True, required=required, help_text="public")
        super().__init__(label, help_text, rows=5, required=required, member=member)


class ReviewAction(ActionForm):
    """An action on a proposal."""

    action: ClassVar[proposal_states.ProposalAction]
    subject_type: ClassVar = PROPOSAL
    permission: ClassVar[Action] = Action.REVIEW
    template = "registry/proposals/action.html"
    seen = RevisionField()
    key = forms.CharField(label="", widget=forms.HiddenInput, required=False, max_length=36)

    @classmethod
    def is_available(cls, subject: Proposal) -> bool:
        """Return whether the state of the proposal allows the action."""
        return cls.action in proposal_states.TRANSITIONS[ProposalState(subject.state)]

    @classmethod
    def refuse(cls, subject: Proposal, actor: Actor) -> None:
        """Raise `Refused` if the actor or the proposal's state does not permit the action."""
        permissions.require(actor, cls.permission, PROPOSAL.owner_of(subject))
        cls.refuse_person(subject, actor)
        proposal_states.next_state(ProposalState(subject.state), cls.action)

    @classmethod
    def refuse_person(cls, subject: Proposal, actor: Actor) -> None:
        """Raise `Refused` for somebody who may take the action, but not on this proposal."""

    @classmethod
    def initial_values(cls, subject: Proposal, actor: Actor) -> dict[str, Any]:
        """Return the newest revision and a new idempotency key."""
        return {"seen": subject.revision, "key": str(uuid4())}

    def attempt(self) -> tuple[Outcome | None, int]:
        """Perform the action. After a newer revision, the next attempt refers to that one."""
        outcome, status = super().attempt()
        if status == PROBLEMS[Code.PRECONDITION_FAILED].status:
            form_data = {name: self.data[name] for name in self.data}
            self.data = {**form_data, "seen": str(self.subject.revision)}
        return outcome, status


class Decision(ReviewAction):
    """A curator's decision about the newest revision."""

    seen = seen_revision()


class Comment(ReviewAction):
    """Comment on a proposal; open to everyone with an account."""

    action = proposal_states.ProposalAction.COMMENT
    slug = "comment"
    permission = Action.PROPOSE
    route = Route("Comment on a proposal", "CommentRequest", "A comment on a proposal.")
    button = "Comment"
    preposition = " on "
    consequence = "Comments are public and cannot be deleted."
    text = CommentField("Comment", "Plain text; https links become clickable.")
    field_order = ("text",)

    @classmethod
    def perform(
        cls, number: int, *, text: str, actor: Actor, key: str = "", seen: int = 0
    ) -> Outcome:
        """Add a comment, in any state of the proposal."""
        review.comment(number, text=text, actor=actor, key=key)
        return Outcome("Your comment was added.")


class RequestChanges(Decision):
    """Ask the submitter for changes."""

    action = proposal_states.ProposalAction.ASK
    slug = "ask"
    route = Route("Request changes to a proposal", *DECISION, codes=(Code.PRECONDITION_FAILED,))
    button = "Request changes"
    preposition = " to "
    consequence = "The proposal then waits for its submitter to revise or withdraw it."
    text = CommentField("Requested changes", "Public; for the submitter.")
    field_order = ("text",)

    @classmethod
    def perform(cls, number: int, *, seen: int, text: str, actor: Actor, key: str = "") -> Outcome:
        """Request changes from the submitter."""
        turn = review.request_changes(number, seen=seen, text=text, actor=actor, key=key)
        submitter = turn.proposal.submitter
        return Outcome(f"Changes requested: proposal {number} waits for {submitter}.")


class Accept(Decision):
    """Publish the proposal as the next version."""

    action = proposal_states.ProposalAction.ACCEPT
    slug = "accept"
    route = Route(
        "Accept and publish a proposal",
        "AcceptRequest",
        "The acceptance of a revision.",
        codes=BODY_CODES,
        statuses=(201, 202),
    )
    button = "Accept"
    consequence = (
        "Publishes the body as the tag's next version, credited to its submitter. Published "
        "versions never change. Under four-eyes, it is published once two people have accepted it."
    )
    text = CommentField("Comment", "For the submitter; optional.", required=False)
    field_order = ("text",)

    @classmethod
    def refuse_person(cls, subject: Proposal, actor: Actor) -> None:
        """Raise `Refused` for somebody who has accepted the revision already."""
        approvals.refuse_approved(subject, actor.user)

    @classmethod
    def perform(cls, number: int, *, seen: int, text: str, actor: Actor, key: str = "") -> Outcome:
        """Publish the proposal, credited to its submitter, or approve it as the first of two."""
        version = review.accept(number, seen=seen, text=text, actor=actor, key=key)
        if version is None:
            message = (
                f"You accepted revision {seen} of proposal {number}. It is published once another "
                "curator, an owner or staff accepts it."
            )
            return Outcome(message, status=202)
        credit = f", credited to {version.author}" if version.author else ""
        message = f"{version.exact} is published{credit}."
        return Outcome(message, version, status=201, location=version.exact)


class Reject(Decision):
    """Reject the proposal with a reason."""

    action = proposal_states.ProposalAction.REJECT
    slug = "reject"
    route = Route("Reject a proposal", *DECISION, codes=(Code.PRECONDITION_FAILED,))
    button = "Reject"
    consequence = "This cannot be undone; the change would have to be proposed again."
    text = CommentField("Reason", "Public; for the submitter.")
    field_order = ("text",)

    @classmethod
    def perform(cls, number: int, *, seen: int, text: str, actor: Actor, key: str = "") -> Outcome:
        """Reject the proposal permanently, with a reason."""
        review.reject(number, seen=seen, text=text, actor=actor, key=key)
        return Outcome(f"Proposal {number} is rejected.")


class Withdraw(ReviewAction):
    """Withdraw the actor's own proposal."""

    action = proposal_states.ProposalAction.WITHDRAW
    slug = "withdraw"
    permission = Action.PROPOSE
    route = Route("Withdraw your own proposal", "WithdrawRequest", "The withdrawal of a proposal.")
    button = "Withdraw"
    consequence = "This cannot be undone; its history stays. You can propose the change again."
    text = CommentField("Reason", "Optional.", required=False)
    field_order = ("text",)

    @classmethod
    def refuse_person(cls, subject: Proposal, actor: Actor) -> None:
        """Raise `Refused` for everyone but the submitter."""
        submission.refuse_others(subject, actor.user, "withdraw")

    @classmethod
    def perform(
        cls, number: int, *, text: str, actor: Actor, key: str = "", seen: int = 0
    ) -> Outcome:
        """Withdraw a proposal permanently."""
        review.withdraw(number, text=text, actor=actor, key=key)
        return Outcome(f"Proposal {number} is withdrawn.")


DECISIONS: tuple[type[Decision], ...] = (Accept, RequestChanges, Reject)
