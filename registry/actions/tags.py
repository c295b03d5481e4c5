"""Actions on tags."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, ClassVar

from django import forms

from registry.actions.action_form import ActionForm, Outcome, Route
from registry.actions.fields import FlagField, NameField, ReasonField, TagField
from registry.actions.subjects import TAG
from registry.domain.reference import Reference, Tag as TagName
from registry.http.request_members import TagMember
from registry.models import Tag
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.search import admin_lists
from registry.services.tags import deprecation, renaming
from registry.services.versions import families, status

MAX_PINNED = 50  # aliases that a page lists


class Deprecate(ActionForm):
    """Mark a tag as superseded."""

    slug = page = "deprecate"
    subject_type: ClassVar = TAG
    permission = Action.DEPRECATE
    inapplicable = "already deprecated"
    route = Route(
        "Deprecate a tag",
        "DeprecateRequest",
        "The reason for a deprecation, and the tag to use instead.",
    )
    button = "Deprecate"
    hint = "warn users and name a successor"
    consequence = "The tag still resolves, with a warning that names the successor."
    template = "registry/tag/deprecate.html"
    reason = ReasonField()
    successor = TagField("Successor", "The tag to use instead, if there is one.", required=False)

    @classmethod
    def is_available(cls, subject: Tag) -> bool:
        """Return whether the tag is not deprecated."""
        return not subject.last_deprecated

    @classmethod
    def perform(
        cls, tag: TagName, *, reason: str, successor: TagName | None, actor: Actor
    ) -> Outcome:
        """Deprecate a tag, optionally with a successor."""
        deprecation.deprecate(tag, reason=reason, successor=successor, actor=actor)
        return Outcome(f"{tag} is deprecated.")


class Undeprecate(ActionForm):
    """Undo the deprecation of a tag."""

    slug = page = "undeprecate"
    subject_type: ClassVar = TAG
    permission = Action.UNDEPRECATE
    inapplicable = "not deprecated"
    route = Route("Undo a deprecation", "ReasonRequest", "The reason for a change.")
    button = "Undo deprecation"
    preposition = " of "
    hint = "stop warning users"
    template = "registry/tag/undeprecate.html"
    reason = ReasonField("everyone who reads the tag's history")

    @classmethod
    def is_available(cls, subject: Tag) -> bool:
        """Return whether the tag is deprecated."""
        return bool(subject.last_deprecated)

    @classmethod
    def perform(cls, tag: TagName, *, reason: str, actor: Actor) -> Outcome:
        """Undo a deprecation."""
        deprecation.undeprecate(tag, reason=reason, actor=actor)
        return Outcome(f"{tag} is no longer deprecated.")


class RenameTag(ActionForm):
    """Publish the newest body under a new name, and deprecate this tag in favour of it."""

    slug = page = "rename"
    subject_type: ClassVar = TAG
    permission = Action.DEPRECATE
    inapplicable = "deprecated already"
    button = "Rename"
    hint = "publish it under a new name"
    consequence = (
        "Names never change, so this creates a new tag from the newest body of this one, with its "
        "references as written. This tag is deprecated in favour of the new one: it still "
        "resolves, with a warning that states the new name."
    )
    template = "registry/tag/rename.html"
    name = NameField(
        "New name",
        "namespace/name[:variant], not used by any tag or alias yet.",
        member=TagMember(),
    )
    reason = ReasonField("everyone who resolves the old name")
    aliases = forms.MultipleChoiceField(
        label="Aliases to move",
        help_text="These aliases resolve to the new tag from then on.",
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, subject: Tag, actor: Actor, data: Any = None) -> None:
        super().__init__(subject, actor, data)
        movable = self._movable_aliases()
        self.fields["aliases"].choices = [(text, text) for text in movable]  # type: ignore[attr-defined]
        self.initial["aliases"] = movable
        if not movable:
            del self.fields["aliases"]

    @classmethod
    def is_available(cls, subject: Tag) -> bool:
        """Return whether the tag is not deprecated."""
        return not subject.last_deprecated

    @classmethod
    def preview(cls, subject: Tag) -> dict[str, Any]:
        """Return the aliases that are not moved, and whether there is no body to copy."""
        aliases = islice(admin_lists.aliases_of(subject), MAX_PINNED)
        return {
            "pinned_aliases": [
                (alias.text, admin_lists.alias_target(alias))
                for alias in aliases
                if str(alias.selector)
            ],
            "is_fully_yanked": status.tag_status(subject.text).is_fully_yanked,
        }

    @classmethod
    def perform(
        cls, old: TagName, *, name: TagName, reason: str, actor: Actor, aliases: Sequence[str] = ()
    ) -> Outcome:
        version = renaming.rename_tag(old, name, reason=reason, aliases=aliases, actor=actor)
        message = f"{old} is now {version.exact}; the old name is deprecated in favour of it."
        return Outcome(message, version, location=str(name))

    def _movable_aliases(self) -> list[str]:
        """Return the aliases that this user may point elsewhere."""
        aliases = renaming.floating_aliases(self.subject)
        references = [Reference(text) for text in aliases]
        movable = permissions.filter_allowed(self.actor, Action.POINT_ALIAS, references)
        return [str(reference) for reference in movable]


class MarkFamily(ActionForm):
    """Mark a tag as a family."""

    slug = "mark-family"
    subject_type: ClassVar = TAG
    permission = Action.MARK_FAMILY
    inapplicable = "a family already"
    page = "family"
    button = "Mark as family"
    preposition = ": "
    hint = "whether it describes several machines"
    consequence = (
        "A family describes what several machines share, and nobody builds for it. It needs no "
        "number of cores, and tags made from it may have equal targets."
    )
    to = FlagField("family")

    @classmethod
    def is_available(cls, subject: Tag) -> bool:
        """Return whether the tag is no family."""
        return not subject.is_family

    @classmethod
    def perform(cls, tag: TagName, *, actor: Actor, to: str = "") -> Outcome:
        families.set_family(tag, is_family=True, actor=actor)
        return Outcome(f"{tag} is a family.")


class UnmarkFamily(ActionForm):
    """Mark a tag as no family."""

    slug = "unmark-family"
    subject_type: ClassVar = TAG
    permission = Action.MARK_FAMILY
    inapplicable = "no family"
    page = "family"
    button = "Mark as no family"
    preposition = ": "
    hint = MarkFamily.hint
    consequence = "The tag is a target that people build for, like most."
    to = FlagField("no-family")

    @classmethod
    def is_available(cls, subject: Tag) -> bool:
        """Return whether the tag is a family."""
        return subject.is_family

    @classmethod
    def perform(cls, tag: TagName, *, actor: Actor, to: str = "") -> Outcome:
        families.set_family(tag, is_family=False, actor=actor)
        return Outcome(f"{tag} is no family.")
