"""Actions that yank versions, deprecate tags, and undo either."""

from __future__ import annotations

from registry.actions.action_form import ActionForm, ReasonField, TagField
from registry.domain.errors import report_errors_at
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Tag, Version
from registry.services.tags import deprecation
from registry.services.versions import yanking


class Yank(ActionForm):
    """Yank a version with a public reason."""

    slug = "yank"
    button = "Yank"
    consequence = "Exact references still resolve, with the reason; floating ones skip the version."
    reason = ReasonField("everyone who resolves the exact version")

    @classmethod
    def is_available(cls, subject: Version) -> bool:
        """Return whether the version is not yanked."""
        return not subject.yanked

    def perform(self) -> str:
        reference = Reference.parse(self.subject.exact)
        yanking.yank(reference, reason=self.cleaned_data["reason"], actor=self.actor)
        return f"{reference} is yanked."


class Unyank(ActionForm):
    """Undo the yank of a version."""

    slug = "unyank"
    button = "Undo yank"
    preposition = " of "
    consequence = "Floating references can resolve to the version again."
    reason = ReasonField("everyone who reads the version's history")

    @classmethod
    def is_available(cls, subject: Version) -> bool:
        """Return whether the version is yanked."""
        return subject.yanked

    def perform(self) -> str:
        reference = Reference.parse(self.subject.exact)
        yanking.unyank(reference, reason=self.cleaned_data["reason"], actor=self.actor)
        return f"{reference} is no longer yanked."


class Deprecate(ActionForm):
    """Mark a tag as superseded."""

    slug = "deprecate"
    button = "Deprecate"
    consequence = "The tag still resolves, with a warning that names the successor."
    reason = ReasonField()
    successor = TagField("Successor", "The tag to use instead, if there is one.", required=False)

    @classmethod
    def is_available(cls, subject: Tag) -> bool:
        """Return whether the tag is not deprecated."""
        return not subject.last_deprecated

    def perform(self) -> str:
        name = TagName.parse(self.subject.text)
        text = self.cleaned_data["successor"]
        with report_errors_at("/successor"):
            successor = TagName.parse(text) if text else None
        reason = self.cleaned_data["reason"]
        deprecation.deprecate(name, reason=reason, successor=successor, actor=self.actor)
        return f"{name} is deprecated."


class Undeprecate(ActionForm):
    """Undo the deprecation of a tag."""

    slug = "undeprecate"
    button = "Undo deprecation"
    preposition = " of "
    reason = ReasonField("everyone who reads the tag's history")

    @classmethod
    def is_available(cls, subject: Tag) -> bool:
        """Return whether the tag is deprecated."""
        return bool(subject.last_deprecated)

    def perform(self) -> str:
        name = TagName.parse(self.subject.text)
        deprecation.undeprecate(name, reason=self.cleaned_data["reason"], actor=self.actor)
        return f"{name} is no longer deprecated."
