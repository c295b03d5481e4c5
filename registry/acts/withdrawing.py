"""Second thoughts: yank a version, deprecate a tag, and take either back."""

from __future__ import annotations

from registry.acts.act import Act, Name, Reason
from registry.domain.errors import at
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Tag, Version
from registry.services import deprecation, withdrawing


class Yank(Act):
    """A version withdrawn."""

    slug = "yank"
    button = "Yank"
    consequence = "Exact pins go on resolving, with the reason; everything else passes over it."
    reason = Reason("everybody who resolves an exact pin")

    @classmethod
    def applies(cls, subject: Version) -> bool:
        """To one that is not yanked."""
        return not subject.yanked

    def perform(self) -> str:
        """Yank it."""
        reference = Reference.parse(self.subject.exact)
        withdrawing.yank(reference, reason=self.cleaned_data["reason"], actor=self.actor)
        return f"{reference} is yanked."


class Unyank(Act):
    """A yank taken back."""

    slug = "unyank"
    button = "Take back the yank"
    of = " of "
    consequence = "Floating references can get it again."
    reason = Reason("everybody who looks at the version's history")

    @classmethod
    def applies(cls, subject: Version) -> bool:
        """To one that is yanked."""
        return subject.yanked

    def perform(self) -> str:
        """Take it back."""
        reference = Reference.parse(self.subject.exact)
        withdrawing.unyank(reference, reason=self.cleaned_data["reason"], actor=self.actor)
        return f"{reference} is no longer yanked."


class Deprecate(Act):
    """A tag superseded."""

    slug = "deprecate"
    button = "Deprecate"
    consequence = "It goes on resolving; whoever resolves it is warned and told of the successor."
    reason = Reason()
    successor = Name("Successor", "The tag to use in its place, if there is one.", required=False)

    @classmethod
    def applies(cls, subject: Tag) -> bool:
        """To a tag that is not deprecated."""
        return not subject.last_deprecated

    def perform(self) -> str:
        """Deprecate it."""
        name = TagName.parse(self.subject.text)
        typed = self.cleaned_data["successor"]
        with at("/successor"):
            successor = TagName.parse(typed) if typed else None
        reason = self.cleaned_data["reason"]
        deprecation.deprecate(name, reason=reason, successor=successor, actor=self.actor)
        return f"{name} is deprecated."


class Undeprecate(Act):
    """A deprecation taken back."""

    slug = "undeprecate"
    button = "Take back the deprecation"
    of = " of "
    reason = Reason("everybody who looks at the tag's history")

    @classmethod
    def applies(cls, subject: Tag) -> bool:
        """To a tag that is deprecated."""
        return bool(subject.last_deprecated)

    def perform(self) -> str:
        """Take it back."""
        name = TagName.parse(self.subject.text)
        deprecation.undeprecate(name, reason=self.cleaned_data["reason"], actor=self.actor)
        return f"{name} is no longer deprecated."
