"""Actions that mark tags as families, and undo that."""

from __future__ import annotations

from django import forms

from registry.actions.action_form import ActionForm
from registry.domain.reference import Tag as TagName
from registry.models import Tag
from registry.services.versions import families


class FlagField(forms.CharField):
    """A hidden field that names the action of a form, because both share a URL."""

    def __init__(self, initial: str) -> None:
        super().__init__(initial=initial, required=False, widget=forms.HiddenInput)


class MarkFamily(ActionForm):
    """Mark a tag as a family."""

    slug = "mark-family"
    button = "Mark as family"
    preposition = ": "
    consequence = (
        "A family describes what several machines share, and nobody builds for it. It needs no "
        "number of cores, and tags made from it may have equal targets."
    )
    to = FlagField("family")

    @classmethod
    def is_available(cls, subject: Tag) -> bool:
        """Return whether the tag is no family."""
        return not subject.is_family

    def perform(self) -> str:
        name = TagName.parse(self.subject.text)
        families.set_family(name, is_family=True, actor=self.actor)
        return f"{name} is a family."


class UnmarkFamily(ActionForm):
    """Mark a tag as no family."""

    slug = "unmark-family"
    button = "Mark as no family"
    preposition = ": "
    consequence = "The tag is a target that people build for, like most."
    to = FlagField("no-family")

    @classmethod
    def is_available(cls, subject: Tag) -> bool:
        """Return whether the tag is a family."""
        return subject.is_family

    def perform(self) -> str:
        name = TagName.parse(self.subject.text)
        families.set_family(name, is_family=False, actor=self.actor)
        return f"{name} is no family."
