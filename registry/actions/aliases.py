"""Actions that create aliases and change their targets."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, NameField
from registry.actions.namespaces import WAITS
from registry.domain.errors import report_errors_at
from registry.domain.reference import Reference
from registry.models import Name as Spelling
from registry.services.core.permissions import Actor
from registry.services.tags import aliases

REFERENCE_HELP = "A tag, or one of its versions: namespace/name[:variant][@version]."


class CreateAlias(ActionForm):
    """Create an alias of a tag."""

    slug = "add"
    button = "Add an alias"
    consequence = "A name can never be reused. The target of an alias can be changed."
    text = NameField("Alias", "Begins with a namespace, as in nvidia/a100.", strip=False)
    reference = NameField("Points to", REFERENCE_HELP)

    def perform(self) -> str:
        return _point_alias(self, self.cleaned_data["text"])


class RepointAlias(ActionForm):
    """Change the target of an alias."""

    slug = "repoint"
    button = "Repoint"
    consequence = "Everyone who resolves the alias gets the new target from now on."
    reference = NameField("Points to", REFERENCE_HELP)

    @classmethod
    def initial_values(cls, subject: Spelling, actor: Actor) -> dict[str, Any]:
        return {"reference": str(aliases.alias_target(subject))}

    def perform(self) -> str:
        return _point_alias(self, self.subject.text)


class AliasForTag(CreateAlias):
    """Point an alias at this tag or one of its versions; overwrites an alias only on request."""

    slug = "alias"
    button = "Point an alias"
    preposition = " to "
    consequence = "A name can never be reused. The alias resolves to the target it points to."
    moves = forms.BooleanField(
        label="Move the alias if it already exists",
        help_text="Everyone who resolves it gets the new target from then on.",
        required=False,
    )
    field_order = ("text", "reference", "moves")

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        return {"reference": str(subject)}

    def perform(self) -> str:
        is_moved = self.cleaned_data["moves"]
        return _point_alias(self, self.cleaned_data["text"], expected=None if is_moved else "")


def _point_alias(form: ActionForm, text: str, *, expected: str | None = None) -> str:
    """Point an alias to the submitted reference, optionally only if its target is as expected."""
    with report_errors_at("/reference"):
        reference = Reference.parse(form.cleaned_data["reference"])
    alias = aliases.point_alias(text, reference, actor=form.actor, expected=expected)
    if alias.is_pending:
        return f"You requested that {text} points to {reference}. {WAITS}"
    return f"{text} points to {reference}."
