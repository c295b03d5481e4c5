"""Actions that yank versions, deprecate tags, and undo either."""

from __future__ import annotations

from registry.actions.action_form import ActionForm, NameField, ReasonField
from registry.domain.errors import report_errors_at
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Tag, Version
from registry.services.tags import deprecation
from registry.services.versions import yanking


class Yank(ActionForm):
    """Yank a version with a public reason."""

    slug = "yank"
    button = "Yank"
    consequence = "Exact pins go on resolving, with the reason; everything else passes over it."
    reason = ReasonField("everybody who resolves an exact pin")

    @classmethod
    def applies(cls, subject: Version) -> bool:
        """Tell whether the state of the row allows the action."""
        return not subject.yanked

    def perform(self) -> str:
        reference = Reference.parse(self.subject.exact)
        yanking.yank(reference, reason=self.cleaned_data["reason"], actor=self.actor)
        return f"{reference} is yanked."


class Unyank(ActionForm):
    """Undo the yank of a version."""

    slug = "unyank"
    button = "Take back the yank"
    of = " of "
    consequence = "Floating references can get it again."
    reason = ReasonField("everybody who looks at the version's history")

    @classmethod
    def applies(cls, subject: Version) -> bool:
        """Tell whether the state of the row allows the action."""
        return subject.yanked

    def perform(self) -> str:
        reference = Reference.parse(self.subject.exact)
        yanking.unyank(reference, reason=self.cleaned_data["reason"], actor=self.actor)
        return f"{reference} is no longer yanked."


class Deprecate(ActionForm):
    """Mark a tag as superseded."""

    slug = "deprecate"
    button = "Deprecate"
    consequence = "It goes on resolving; whoever resolves it is warned and told of the successor."
    reason = ReasonField()
    successor = NameField(
        "Successor", "The tag to use in its place, if there is one.", required=False
    )

    @classmethod
    def applies(cls, subject: Tag) -> bool:
        """Tell whether the state of the row allows the action."""
        return not subject.last_deprecated

    def perform(self) -> str:
        name = TagName.parse(self.subject.text)
        typed = self.cleaned_data["successor"]
        with report_errors_at("/successor"):
            successor = TagName.parse(typed) if typed else None
        reason = self.cleaned_data["reason"]
        deprecation.deprecate(name, reason=reason, successor=successor, actor=self.actor)
        return f"{name} is deprecated."


class Undeprecate(ActionForm):
    """Undo the deprecation of a tag."""

    slug = "undeprecate"
    button = "Take back the deprecation"
    of = " of "
    reason = ReasonField("everybody who looks at the tag's history")

    @classmethod
    def applies(cls, subject: Tag) -> bool:
        """Tell whether the state of the row allows the action."""
        return bool(subject.last_deprecated)

    def perform(self) -> str:
        name = TagName.parse(self.subject.text)
        deprecation.undeprecate(name, reason=self.cleaned_data["reason"], actor=self.actor)
        return f"{name} is no longer deprecated."
