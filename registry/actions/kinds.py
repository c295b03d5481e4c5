"""Actions that create and revise kinds: edit the schema, preview it, put it in force."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, Outcome
from registry.actions.fields import NameField, ParagraphField
from registry.actions.subjects import KIND, REGISTRY
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.kinds import revising
from registry.services.kinds.revising import SchemaDraft


class ReviseKind(ActionForm):
    """Preview a new revision first, then put it in force; the result is the preview, if any."""

    slug = "revise"
    subject_type = KIND
    permission = Action.REVISE_KIND
    button = "Revise"
    effect = "Put in force"
    consequence = "A preview first shows what the revision would change and break."
    source = ParagraphField(
        "Schema",
        "A closed JSON Schema (2020-12) with x-consumers and x-affects-tuning on every option.",
        rows=24,
        attributes={"class": "source", "spellcheck": "false", "wrap": "off"},
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    draft: SchemaDraft | None = None  # the preview to show above the form

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        return {"source": revising.current_schema(subject.name)} if subject else {}

    @classmethod
    def perform(cls, name: str = "", *, source: str, seen: int | None, actor: Actor) -> Outcome:
        """Preview the schema, or put it in force if it was previewed."""
        if seen is None:
            return Outcome("", revising.preview_schema(name, source, actor=actor))
        revision = revising.apply_schema(name, source, seen=seen, actor=actor)
        return Outcome(f"Revision {revision.number} of {name} is in force.", revision)


class CreateKind(ReviseKind):
    """Create a kind with its first schema."""

    slug = "add"
    subject_type = REGISTRY
    button = "Add a kind"
    consequence = "A kind can never be deleted or renamed. A preview comes first."
    name = NameField(
        "Name", "The value of kind in bodies, after executor/ or runtime/ for one of these."
    )
    field_order = ("name", "source", "seen")
