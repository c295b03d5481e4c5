"""Actions that create aliases and change their targets."""

from __future__ import annotations

from itertools import islice
from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, Outcome, Route
from registry.actions.fields import NameField, ReferenceField
from registry.actions.namespaces import WAITS
from registry.actions.subjects import ALIAS, ALIASED_TAG
from registry.domain.errors import Code
from registry.domain.reference import Reference
from registry.models import Name as Spelling
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, status

MAX_ALIASES = 50  # in a list; a tag of the catalogue has at most 4


class PointAlias(ActionForm):
    """Point an alias at a reference, optionally only if its target is as `expected`."""

    permission = Action.POINT_ALIAS

    @classmethod
    def perform(cls, text: str, *, reference: Reference, **values: Any) -> Outcome:
        alias = aliases.point_alias(text, reference, **values)
        if alias.is_pending:
            return Outcome(f"You requested that {text} points to {reference}. {WAITS}", alias, 202)
        message = f"{text} points to {reference}."
        return Outcome(message, alias, 201, text) if alias.is_new else Outcome(message, alias)


class CreateAlias(PointAlias):
    """Create an alias of a tag."""

    slug = "add"
    button = "Add an alias"
    consequence = "A name can never be reused. The target of an alias can be changed."
    text = NameField("Alias", "Begins with a namespace, as in nvidia/a100.", strip=False)
    reference = ReferenceField("Points to")

    @classmethod
    def perform(cls, text: str, *, expected: str | None = "", **values: Any) -> Outcome:
        return super().perform(text, expected=expected, **values)


class RepointAlias(PointAlias):
    """Create an alias or change its target."""

    slug = "repoint"
    subject_type = ALIAS
    route = Route(
        "Create an alias or change its target",
        "AliasRequest",
        "The target of an alias.",
        codes=(Code.NAMESPACE_UNKNOWN, Code.VERSION_UNKNOWN, Code.CYCLE, Code.PRECONDITION_FAILED),
        statuses=(200, 201, 202),
        operation="point_alias",
    )
    button = "Repoint"
    effect = "Repoint alias"
    consequence = "Everyone who resolves the alias gets the new target from now on."
    reference = ReferenceField("Points to")
    expected = forms.CharField(required=False, widget=forms.HiddenInput)  # If-Match in the API

    @classmethod
    def initial_values(cls, subject: Spelling, actor: Actor) -> dict[str, Any]:
        """Return the current target, which the form replaces only if it still is the target."""
        return dict.fromkeys(("reference", "expected"), str(aliases.alias_target(subject)))


class AliasForTag(CreateAlias):
    """Point an alias at this tag or one of its versions; overwrites an alias only on request."""

    slug = page = "alias"
    subject_type = ALIASED_TAG
    button = "Point an alias"
    link = "Alias"
    preposition = " to "
    hint = "another name for this tag"
    consequence = "A name can never be reused. The alias resolves to the target it points to."
    template = "registry/tag/alias.html"
    moves = forms.BooleanField(
        label="Move the alias if it already exists",
        help_text="Everyone who resolves it gets the new target from then on.",
        required=False,
    )
    field_order = ("text", "reference", "moves")

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        return {"reference": str(subject)}

    @classmethod
    def preview(cls, subject: Reference) -> dict[str, Any]:
        rows = list(islice(aliases.aliases_of(subject.text), MAX_ALIASES + 1))
        return {
            "aliases": [(row.text, aliases.alias_target(row)) for row in rows[:MAX_ALIASES]],
            "has_more": len(rows) > MAX_ALIASES,
            "needs_exact": (
                subject.selector.is_floating and status.tag_status(subject.text).is_fully_yanked
            ),
        }

    @classmethod
    def perform(cls, text: str, *, moves: bool = False, **values: Any) -> Outcome:
        return super().perform(text, expected=None if moves else "", **values)
