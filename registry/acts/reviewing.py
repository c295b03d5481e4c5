"""What is done to a proposal: talked about, decided on, withdrawn.

Each form holds the revision that was `seen`, so that nobody decides on what they have not read, and
a `key`, so that a form sent twice acts once.
"""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import uuid4

from django import forms

from registry.acts.act import Act, Words
from registry.domain import reviewing
from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag as TagName
from registry.domain.reviewing import State
from registry.models import Proposal
from registry.services import permissions
from registry.services.permissions import Action, Actor
from registry.services.reviewing import deciding, proposing

OPEN_ANEW = "This form lacks what it was made with. Open the proposal anew."


class Said(Words):
    """Several lines for the proposal's history, where everybody reads them."""

    def __init__(self, label: str, help_text: str = "", **kwargs: Any) -> None:
        lines = forms.Textarea(attrs={"rows": 5})
        super().__init__(label, help_text, widget=lines, strip=False, **kwargs)


class Reviewing(Act):
    """An act on a proposal. `admit` raises `Refused` for who need not be shown the form."""

    act: ClassVar[reviewing.Act]
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
        """Whether it is done in the proposal's state."""
        return cls.act in reviewing.TRANSITIONS[State(subject.state)]

    @classmethod
    def first(cls, subject: Proposal, actor: Actor) -> dict[str, Any]:
        """The newest revision, and a key of its own."""
        return {"seen": subject.revision, "key": str(uuid4())}

    def admit(self) -> None:
        """Raise `Refused` for who may not do this; the service checks again."""
        self._require(Action.REVIEW)

    def perform(self) -> str:
        """Do it. Where another revision is the newest by now, the next try is about that one."""
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
        """Call the service; the sentence that says it is done."""
        raise NotImplementedError


class Comment(Reviewing):
    """Something said, by anybody."""

    act = reviewing.Act.COMMENT
    slug = "comment"
    button = "Comment"
    of = " on "
    consequence = "Everybody can read it, for good."
    text = Said("Comment", "Plain text; https links can be followed.")
    field_order = ("text",)

    def admit(self) -> None:
        """Anybody whose account is open."""
        self._require(Action.PROPOSE)

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Say it."""
        deciding.comment(number, text=text, actor=self.actor, key=key)
        return "Your comment stands in the history."


class Accept(Reviewing):
    """The proposal published."""

    act = reviewing.Act.ACCEPT
    slug = "accept"
    button = "Accept and publish"
    consequence = (
        "Publishes the body as the tag's next version, to the credit of who proposed it. What is "
        "published never changes."
    )
    text = Said("Remark", "For the submitter; it need not be.", required=False)
    field_order = ("text",)

    def admit(self) -> None:
        """Curators, but for their own where the namespace forbids it."""
        super().admit()
        deciding.refuse_own(self.subject, self.actor.user)

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Publish it."""
        version = deciding.accept(number, seen=seen, text=text, actor=self.actor, key=key)
        credit = f", to the credit of {version.author}" if version.author else ""
        return f"{version.exact} is published{credit}."


class Ask(Reviewing):
    """Changes asked for."""

    act = reviewing.Act.ASK
    slug = "ask"
    button = "Ask for changes"
    of = " to "
    consequence = "The proposal then waits for its submitter, who revises or withdraws it."
    text = Said("What should be different", "For the submitter, and everybody who reads along.")
    field_order = ("text",)

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Ask."""
        deciding.ask(number, seen=seen, text=text, actor=self.actor, key=key)
        return f"Proposal {number} waits for {self.subject.submitter}."


class Reject(Reviewing):
    """A decision against it."""

    act = reviewing.Act.REJECT
    slug = "reject"
    button = "Reject"
    consequence = "For good: whoever wants it after all has to propose it anew."
    text = Said("Reason", "For the submitter, and everybody who reads along.")
    field_order = ("text",)

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Decide against it."""
        deciding.reject(number, seen=seen, text=text, actor=self.actor, key=key)
        return f"Proposal {number} is rejected."


class Withdraw(Reviewing):
    """Taken back by who proposed it."""

    act = reviewing.Act.WITHDRAW
    slug = "withdraw"
    button = "Withdraw"
    consequence = "For good; its history stays. You can propose it anew."
    text = Said("Why", "It need not be.", required=False)
    field_order = ("text",)

    def admit(self) -> None:
        """The submitter alone."""
        self._require(Action.PROPOSE)
        proposing.refuse_others(self.subject, self.actor.user, "withdraw")

    def act_on(self, number: int, *, seen: int, text: str, key: str) -> str:
        """Take it back."""
        deciding.withdraw(number, text=text, actor=self.actor, key=key)
        return f"Proposal {number} is withdrawn."


DECIDING: tuple[type[Reviewing], ...] = (Accept, Ask, Reject)
EVERY: tuple[type[Reviewing], ...] = (Comment, *DECIDING, Withdraw)
ACTS = {act.slug: act for act in EVERY}
