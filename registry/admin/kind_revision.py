"""Actions that create and revise kinds: edit the schema, preview it, put it in force."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, NameField
from registry.models import Kind
from registry.services.core.permissions import Actor
from registry.services.kinds import revising
from registry.services.kinds.revising import SchemaDraft


class SchemaField(forms.CharField):
    """The JSON Schema of a kind, not normalized."""

    def __init__(self) -> None:
        attributes = {"class": "schema", "rows": 24, "spellcheck": "false", "wrap": "off"}
        super().__init__(
            label="Schema",
            help_text="A closed JSON Schema (2020-12) with x-consumers and x-affects-tuning on "
            "every option.",
            widget=forms.Textarea(attrs=attributes),
            strip=False,
        )


class ReviseKind(ActionForm):
    """Preview a new revision first, then put it in force; `draft` is the preview, if any."""

    slug = "revise"
    button = "Revise"
    consequence = "A preview first shows what the revision would change and break."
    source = SchemaField()
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    draft: SchemaDraft | None = None

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        """Return the schema in force."""
        return {"source": revising.current_schema(subject.name)} if subject else {}

    @property
    def kind_name(self) -> str:
        """Return the name of the kind."""
        subject: Kind = self.subject
        return subject.name

    def perform(self) -> str:
        """Preview the schema, or put it in force if it was previewed."""
        text, seen = self.cleaned_data["source"], self.cleaned_data["seen"]
        if seen is None:
            self.draft = revising.preview_schema(self.kind_name, text, actor=self.actor)
            return ""
        revision = revising.apply_schema(self.kind_name, text, seen=seen, actor=self.actor)
        return f"Revision {revision.number} of {self.kind_name} is in force."


class CreateKind(ReviseKind):
    """Create a kind with its first schema."""

    slug = "add"
    button = "Add a kind"
    consequence = "A kind can never be deleted or renamed. A preview comes first."
    name = NameField(
        "Name", "The value of kind in bodies, after executor/ or runtime/ for one of these."
    )
    field_order = ("name", "source", "seen")

    @property
    def kind_name(self) -> str:
        """Return the name of the kind."""
        return str(self.cleaned_data["name"])
