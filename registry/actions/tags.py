"""Actions that deprecate, rename and mark tags."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, Outcome, Route, State
from registry.actions.fields import REASON_REQUEST, FlagField, NameField, ReasonField, TagField
from registry.actions.subjects import TAG
from registry.domain.reference import Reference, Tag as TagName
from registry.http import request_members
from registry.models import Policy, Tag
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.tags import aliases as alias_service, deprecation, renaming, status
from registry.services.versions import families


class Deprecate(ActionForm):
    """Deprecate a tag, optionally with a successor."""

    slug = page = "deprecate"
    subject_type = TAG
    permission = Action.DEPRECATE
    state = State("last_deprecated", is_set=False, otherwise="already deprecated")
    service = deprecation.deprecate
    done = "{0} is deprecated."
    button = "Deprecate"
    effect = "Deprecate tag"
    consequence = (
        "The tag still resolves, with a warning that names the successor. It can be undone."
    )
    hint = "warn users and name a successor"
    route = Route(
        "Deprecate a tag",
        "DeprecateRequest",
        "The reason for a deprecation, and the tag to use instead.",
    )
    reason = ReasonField()
    successor = TagField("Successor", "The tag to use instead, if there is one.", required=False)


class Undeprecate(ActionForm):
    """Undo the deprecation of a tag."""

    slug = page = "undeprecate"
    subject_type = TAG
    permission = Action.UNDEPRECATE
    state = State("last_deprecated", is_set=True, otherwise="not deprecated")
    service = deprecation.undeprecate
    done = "{0} is no longer deprecated."
    button = "Undo deprecation"
    preposition = " of "
    template = "registry/parts/undo.html"
    hint = "stop warning users"
    route = Route("Undo a deprecation", *REASON_REQUEST)
    reason = ReasonField("everyone who reads the tag's history")


class RenameTag(ActionForm):
    """Publish the newest body under a new name, and deprecate this tag in favour of it."""

    slug = page = "rename"
    subject_type = TAG
    permission = Action.DEPRECATE
    state = State("last_deprecated", is_set=False, otherwise="deprecated already")
    button = "Rename"
    effect = "Rename tag"
    consequence = (
        "Names never change, so this creates a new tag from the newest body of this one, with its "
        "references as written. This tag is deprecated in favour of the new one: it still "
        "resolves, with a warning that states the new name."
    )
    template = "registry/tag/rename.html"
    hint = "publish it under a new name"
    name = NameField(
        "New name",
        "namespace/name[:variant], not used by any tag or alias yet.",
        member=request_members.tag_name(),
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
        if not movable and "aliases" not in self.data:  # those that were offered are refused
            del self.fields["aliases"]

    @classmethod
    def preview(cls, subject: Tag) -> dict[str, Any]:
        """Return the aliases that are not moved, and what prevents renaming.

        Without a body to copy, no name would do; under four-eyes, one of another namespace does.
        """
        is_fully_yanked = status.tag_status(subject.text).is_fully_yanked
        aliases = alias_service.aliases_of(subject.text)
        pinned = [alias for alias in aliases if str(alias.selector)]
        return {
            "pinned_aliases": [(alias.text, alias_service.alias_target(alias)) for alias in pinned],
            "is_fully_yanked": is_fully_yanked,
            "is_blocked": is_fully_yanked,
            "needs_proposal": subject.namespace.policy == Policy.FOUR_EYES,
        }

    @classmethod
    def perform(
        cls, old: TagName, *, name: TagName, aliases: Sequence[str] = (), **values: Any
    ) -> Outcome:
        version = renaming.rename_tag(old, name, aliases=aliases, **values)
        message = f"{old} is now {version.exact}; the old name is deprecated in favour of it."
        return Outcome(message, version, location=str(name))

    def _movable_aliases(self) -> list[str]:
        """Return the aliases that this user may point elsewhere."""
        aliases = renaming.floating_aliases(self.subject)
        references = [Reference(text) for text in aliases]
        movable = permissions.filter_allowed(self.actor, Action.POINT_ALIAS, references)
        return [str(reference) for reference in movable]


class FamilyAction(ActionForm):
    """An action that says whether a tag is a family; both share a page."""

    subject_type = TAG
    permission = Action.MARK_FAMILY
    preposition = ": "
    page = "family"
    hint = "whether it describes several machines"


class MarkFamily(FamilyAction):
    """Mark a tag as a family."""

    slug = "mark-family"
    state = State("is_family", is_set=False, otherwise="a family already")
    service = partial(families.set_family, is_family=True)
    done = "{0} is a family."
    button = "Mark as family"
    consequence = (
        "A family describes what several machines share, and nobody builds for it. It needs no "
        "number of cores, and tags made from it may have equal targets."
    )
    to = FlagField("family")


class UnmarkFamily(FamilyAction):
    """Mark a tag as no family."""

    slug = "unmark-family"
    state = State("is_family", is_set=True, otherwise="no family")
    service = partial(families.set_family, is_family=False)
    done = "{0} is no family."
    button = "Mark as no family"
    consequence = "The tag is a target that people build for, like most."
    to = FlagField("no-family")
