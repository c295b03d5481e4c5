"""Actions on proposals: comment, decide, withdraw.

Each form holds the revision that was `seen`, so that nobody decides on what they have not read, and
a `key`, so that a form sent twice acts once.
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
from registry.services.proposals import review, submission

OPEN_ANEW = "This form lacks what it was made with. Open the proposal anew."


class CommentField(LineField):
    """A public comment of several lines for the history of the proposal."""

    def __init__(self, label: str, help_text: str = "", **kwargs: Any) -> None:
        lines = forms.Textarea(attrs={"rows": 5})
        super().__init__(label, help_text, widget=lines, strip=False, **kwargs)


class ReviewAction(ActionForm):
    """An action on a proposal. `admit` raises `Refused` for users who may not see the form."""

    act: ClassVar[proposal_states.ProposalAction]
    of = " "
    seen = forms.IntegerField(
        label="",
        widget=forms.HiddenInput,
        min_value=1,
        max_value=2**31 - 1,
        error_messages={"required": OPEN_ANEW, "invalid": OPEN_ANEW},
    )
    key = forms.CharField(label="", widget=forms.HiddenInput, required=False, max_length=36)

    @classmethod
    def applies(cls, subject: Proposal) -> bool:
        """Tell whether the state of the proposal allows the action."""
        return cls.act in proposal_states.TRANSITIONS[ProposalState(subject.state)]

    @classmethod
    def first(cls, subject: Proposal, actor: Actor) -> dict[str, Any]:
        """Return the newest revision and a new idempotency key."""
        return {"seen": subject.revision, "key": str(uuid4())}

    def admit(self) -> None:
        """Raise `Refused` for users who may not perform the action; the service checks again."""
        self._require(Action.REVIEW)

    def perform(self) -> str:
        """Perform the action. After a newer revision, the next attempt refers to that one."""
        typed = self.cleaned_data
        try:
            return self.act_on(self.subject.pk, **typed)
        except Refused as refusal:
            if refusal.code is Code.PRECONDITION_FAILED:
                typed_in = {name: self.data[name] for name in self.data}
                self.data = {**typed_in, "seen": str(self.subject.revision)}
            raise

    def _require(self, action: Action) -> None:
        permissions.require(self.actor, action, TagName.parse(self.subject.tag))

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        raise NotImplementedError


class Comment(ReviewAction):
    """Comment on a proposal; open to everyone with an account."""

    act = proposal_states.ProposalAction.COMMENT
    slug = "comment"
    button = "Comment"
    of = " on "
    consequence = "Everybody can read it, for good."
    text = CommentField("Comment", "Plain text; https links can be followed.")
    field_order = ("text",)

    def admit(self) -> None:
        """Raise `Refused` for users who may not perform the action; the service checks again."""
        self._require(Action.PROPOSE)

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        review.comment(number, text=text, actor=self.actor, key=key)
        return "Your comment stands in the history."


class Accept(ReviewAction):
    """Publish the proposal as the next version."""

    act = proposal_states.ProposalAction.ACCEPT
    slug = "accept"
    button = "Accept and publish"
    consequence = (
        "Publishes the body as the tag's next version, to the credit of who proposed it. What is "
        "published never changes."
    )
    text = CommentField("Remark", "For the submitter; it need not be.", required=False)
    field_order = ("text",)

    def admit(self) -> None:
        """Raise `Refused` for users who may not perform the action; the service checks again."""
        super().admit()
        review.refuse_own(self.subject, self.actor.user)

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        version = review.accept(number, seen=seen, text=text, actor=self.actor, key=key)
        credit = f", to the credit of {version.author}" if version.author else ""
        return f"{version.exact} is published{credit}."


class RequestChanges(ReviewAction):
    """Ask the submitter for changes."""

    act = proposal_states.ProposalAction.ASK
    slug = "ask"
    button = "Request changes"
    of = " to "
    consequence = "The proposal then waits for its submitter, who revises or withdraws it."
    text = CommentField(
        "What should be different", "For the submitter, and everybody who reads along."
    )
    field_order = ("text",)

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        review.request_changes(number, seen=seen, text=text, actor=self.actor, key=key)
        return f"Proposal {number} waits for {self.subject.submitter}."


class Reject(ReviewAction):
    """Reject the proposal with a reason."""

    act = proposal_states.ProposalAction.REJECT
    slug = "reject"
    button = "Reject"
    consequence = "For good: whoever wants it after all has to propose it anew."
    text = CommentField("Reason", "For the submitter, and everybody who reads along.")
    field_order = ("text",)

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        review.reject(number, seen=seen, text=text, actor=self.actor, key=key)
        return f"Proposal {number} is rejected."


class Withdraw(ReviewAction):
    """Withdraw one's own proposal."""

    act = proposal_states.ProposalAction.WITHDRAW
    slug = "withdraw"
    button = "Withdraw"
    consequence = "For good; its history stays. You can propose it anew."
    text = CommentField("Why", "It need not be.", required=False)
    field_order = ("text",)

    def admit(self) -> None:
        """Raise `Refused` for users who may not perform the action; the service checks again."""
        self._require(Action.PROPOSE)
        submission.refuse_others(self.subject, self.actor.user, "withdraw")

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Call the service; return the success message."""
        review.withdraw(number, text=text, actor=self.actor, key=key)
        return f"Proposal {number} is withdrawn."


DECIDING: tuple[type[ReviewAction], ...] = (Accept, RequestChanges, Reject)
EVERY: tuple[type[ReviewAction], ...] = (Comment, *DECIDING, Withdraw)
ACTS = {act.slug: act for act in EVERY}
