"""Actions on proposals: comment, decide, withdraw.

Each form holds the revision that was `seen`, so that nobody decides on a revision they have not
read, and an idempotency `key`, so that a form sent twice has one effect.
"""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import uuid4

from django import forms

from registry.actions.action_form import ActionForm, LineField
from registry.domain import proposal_states
from registry.domain.errors import Code, Refused
from registry.domain.proposal_states import ProposalState
from registry.domain.reference import Tag as TagName
from registry.models import Proposal
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.proposals import approvals, review, submission

FORM_INCOMPLETE = "This form is incomplete. Reload the proposal and try again."


class CommentField(LineField):
    """A public comment of several lines for the history of the proposal."""

    def __init__(self, label: str, help_text: str = "", **kwargs: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 5})
        super().__init__(label, help_text, widget=widget, strip=False, **kwargs)


class ReviewAction(ActionForm):
    """An action on a proposal."""

    action: ClassVar[proposal_states.ProposalAction]
    preposition = " "
    seen = forms.IntegerField(
        label="",
        widget=forms.HiddenInput,
        min_value=1,
        max_value=2**31 - 1,
        error_messages={"required": FORM_INCOMPLETE, "invalid": FORM_INCOMPLETE},
    )
    key = forms.CharField(label="", widget=forms.HiddenInput, required=False, max_length=36)

    @classmethod
    def is_available(cls, subject: Proposal) -> bool:
        """Return whether the state of the proposal allows the action."""
        return cls.action in proposal_states.TRANSITIONS[ProposalState(subject.state)]

    @classmethod
    def initial_values(cls, subject: Proposal, actor: Actor) -> dict[str, Any]:
        """Return the newest revision and a new idempotency key."""
        return {"seen": subject.revision, "key": str(uuid4())}

    def check_permission(self) -> None:
        """Raise `Refused` for users who may not perform the action; the service checks again."""
        self._require(Action.REVIEW)

    def perform(self) -> str:
        """Perform the action. After a newer revision, the next attempt refers to that one."""
        try:
            return self.call_service(self.subject.pk, **self.cleaned_data)
        except Refused as refusal:
            if refusal.code is Code.PRECONDITION_FAILED:
                form_data = {name: self.data[name] for name in self.data}
                self.data = {**form_data, "seen": str(self.subject.revision)}
            raise

    def _require(self, action: Action) -> None:
        permissions.require(self.actor, action, TagName.parse(self.subject.tag))

    def call_service(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        raise NotImplementedError


class Comment(ReviewAction):
    """Comment on a proposal; open to everyone with an account."""

    action = proposal_states.ProposalAction.COMMENT
    slug = "comment"
    button = "Comment"
    preposition = " on "
    consequence = "Comments are public and cannot be deleted."
    text = CommentField("Comment", "Plain text; https links become clickable.")
    field_order = ("text",)

    def check_permission(self) -> None:
        """Raise `Refused` for users who may not perform the action; the service checks again."""
        self._require(Action.PROPOSE)

    def call_service(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        review.comment(number, text=text, actor=self.actor, key=key)
        return "Your comment was added."


class Accept(ReviewAction):
    """Publish the proposal as the next version."""

    action = proposal_states.ProposalAction.ACCEPT
    slug = "accept"
    button = "Accept"
    consequence = (
        "Publishes the body as the tag's next version, credited to its submitter. Published "
        "versions never change. Under four-eyes, it is published once two people have accepted it."
    )
    text = CommentField("Comment", "For the submitter; optional.", required=False)
    field_order = ("text",)

    def check_permission(self) -> None:
        """Raise `Refused` for users who may not perform the action; the service checks again."""
        super().check_permission()
        approvals.refuse_approved(self.subject, self.actor.user)

    def call_service(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        version = review.accept(number, seen=seen, text=text, actor=self.actor, key=key)
        if version is None:
            return (
                f"You accepted revision {seen} of proposal {number}. It is published once another "
                "curator, an owner or staff accepts it."
            )
        credit = f", credited to {version.author}" if version.author else ""
        return f"{version.exact} is published{credit}."


class RequestChanges(ReviewAction):
    """Ask the submitter for changes."""

    action = proposal_states.ProposalAction.ASK
    slug = "ask"
    button = "Request changes"
    preposition = " to "
    consequence = "The proposal then waits for its submitter to revise or withdraw it."
    text = CommentField("Requested changes", "Public; for the submitter.")
    field_order = ("text",)

    def call_service(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        review.request_changes(number, seen=seen, text=text, actor=self.actor, key=key)
        return f"Changes requested: proposal {number} waits for {self.subject.submitter}."


class Reject(ReviewAction):
    """Reject the proposal with a reason."""

    action = proposal_states.ProposalAction.REJECT
    slug = "reject"
    button = "Reject"
    consequence = "This cannot be undone; the change would have to be proposed again."
    text = CommentField("Reason", "Public; for the submitter.")
    field_order = ("text",)

    def call_service(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        review.reject(number, seen=seen, text=text, actor=self.actor, key=key)
        return f"Proposal {number} is rejected."


class Withdraw(ReviewAction):
    """Withdraw the actor's own proposal."""

    action = proposal_states.ProposalAction.WITHDRAW
    slug = "withdraw"
    button = "Withdraw"
    consequence = "This cannot be undone; its history stays. You can propose the change again."
    text = CommentField("Reason", "Optional.", required=False)
    field_order = ("text",)

    def check_permission(self) -> None:
        """Raise `Refused` for users who may not perform the action; the service checks again."""
        self._require(Action.PROPOSE)
        submission.refuse_others(self.subject, self.actor.user, "withdraw")

    def call_service(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        review.withdraw(number, text=text, actor=self.actor, key=key)
        return f"Proposal {number} is withdrawn."


DECISIONS: tuple[type[ReviewAction], ...] = (Accept, RequestChanges, Reject)
ALL_ACTIONS: tuple[type[ReviewAction], ...] = (Comment, *DECISIONS, Withdraw)
ACTIONS_BY_SLUG = {action.slug: action for action in ALL_ACTIONS}
