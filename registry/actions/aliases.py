"""Actions that create aliases and point them elsewhere."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, NameField
from registry.domain.errors import report_errors_at
from registry.domain.reference import Reference
from registry.models import Name as Spelling
from registry.services.core.permissions import Actor
from registry.services.search import admin_lists
from registry.services.tags import aliases

TO = "A tag, or one of its versions: namespace/name[:variant][@version]."


class MakeAlias(ActionForm):
    """Create an alias."""

    slug = "add"
    button = "Add an alias"
    consequence = "A name once used is never free again. An alias can be pointed elsewhere."
    text = NameField("Alias", "Begins with a namespace, as in nvidia/a100.", strip=False)
    reference = NameField("Points at", TO)

    def perform(self) -> str:
        return point(self, self.cleaned_data["text"])


class RepointAlias(ActionForm):
    """Point an existing alias elsewhere."""

    slug = "repoint"
    button = "Repoint"
    consequence = "Whoever resolves the alias gets the other target from now on."
    reference = NameField("Points at", TO)

    @classmethod
    def first(cls, subject: Spelling, actor: Actor) -> dict[str, Any]:
        return {"reference": admin_lists.leads_to(subject)}

    def perform(self) -> str:
        return point(self, self.subject.text)


class AliasForTag(MakeAlias):
    """Point an alias at this tag or one of its versions; overwrites an alias only on request."""

    slug = "alias"
    button = "Point an alias"
    of = " at "
    consequence = (
        "A name once used is never free again. Whoever asks by the alias gets what it points at."
    )
    moves = forms.BooleanField(
        label="Move the alias if it is there already",
        help_text="Whoever asks by it gets the other target from then on.",
        required=False,
    )
    field_order = ("text", "reference", "moves")

    @classmethod
    def first(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        return {"reference": str(subject)}

    def perform(self) -> str:
        is_moved = self.cleaned_data["moves"]
        return point(self, self.cleaned_data["text"], expected=None if is_moved else "")


def point(act: ActionForm, text: str, *, expected: str | None = None) -> str:
    """Point an alias as the form says, optionally only if it has the expected target."""
    with report_errors_at("/reference"):
        reference = Reference.parse(act.cleaned_data["reference"])
    aliases.point_alias(text, reference, actor=act.actor, expected=expected)
    return f"{text} points at {reference}."
