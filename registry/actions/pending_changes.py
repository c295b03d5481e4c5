"""Actions on changes under four-eyes that wait for a second person."""

from __future__ import annotations

from typing import Any

from registry.actions.action_form import ActionForm, Outcome
from registry.actions.subjects import PENDING_CHANGE
from registry.models import ChangeKind, PendingChange, Role
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.namespaces import four_eyes
from registry.services.tags import confirming

ARTICLES = {Role.OWNER: "an owner", Role.CURATOR: "a curator"}  # only these wait


def describe_change(change: PendingChange) -> str:
    """Return a pending change as a phrase: `point acme/gpu at acme/board@2`."""
    match change.kind:
        case ChangeKind.POLICY:
            return f"set the policy of {change.subject} to {change.after}"
        case ChangeKind.ROLE:
            return f"make {change.member} {ARTICLES[Role(change.after)]} of {change.subject}"
        case _:
            return f"point {change.subject} at {change.after}"


class PendingChangeForm(ActionForm):
    """An action on a pending change."""

    subject_type = PENDING_CHANGE
    permission = Action.REVIEW
    template = "registry/namespaces/pending_change.html"

    @property
    def heading(self) -> str:
        return f"{self.button}: {describe_change(self.subject)}"

    @classmethod
    def perform(cls, *names: Any, **values: Any) -> Outcome:
        change = cls.service(*names, **values)
        return Outcome(f"{cls.done}: {describe_change(change)}.", change)


class ConfirmChange(PendingChangeForm):
    """Confirm a change that somebody else requested."""

    slug = "confirm"
    service = confirming.confirm_change
    done = "Confirmed"
    button = "Confirm"
    effect = "Confirm change"
    consequence = "The change takes effect at once. The log names both of you."

    @classmethod
    def refuse(cls, subject: PendingChange, actor: Actor) -> None:
        super().refuse(subject, actor)
        four_eyes.require_confirmable(subject, actor.user)


class DiscardChange(PendingChangeForm):
    """Discard a pending change."""

    slug = "discard"
    service = four_eyes.discard_change
    done = "Discarded"
    button = "Discard"
    effect = "Discard change"
    consequence = "The change is not made. It can be requested again."
