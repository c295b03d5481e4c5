"""The action that renames a tag."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, NameField, ReasonField
from registry.domain.errors import report_errors_at
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Tag
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.tags import renaming


class RenameTag(ActionForm):
    """Publish the newest body under a new name, and deprecate this tag in favour of it."""

    slug = "rename"
    button = "Rename"
    consequence = (
        "Names never change, so this creates a new tag from the newest body of this one, with its "
        "references as written. This tag is deprecated in favour of the new one: it still "
        "resolves, with a warning that states the new name."
    )
    name = NameField("New name", "namespace/name[:variant], not used by any tag or alias yet.")
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

    def perform(self) -> str:
        old = TagName.parse(self.subject.text)
        with report_errors_at("/name"):
            new = TagName.parse(self.cleaned_data["name"])
        aliases = self.cleaned_data.get("aliases", [])
        reason = self.cleaned_data["reason"]
        version = renaming.rename_tag(old, new, reason=reason, aliases=aliases, actor=self.actor)
        return f"{old} is now {version.exact}; the old name is deprecated in favour of it."

    def _movable_aliases(self) -> list[str]:
        """Return the aliases that this user may point elsewhere."""
        aliases = renaming.floating_aliases(self.subject)
        references = [Reference(text) for text in aliases]
        movable = permissions.filter_allowed(self.actor, Action.POINT_ALIAS, references)
        return [str(reference) for reference in movable]
