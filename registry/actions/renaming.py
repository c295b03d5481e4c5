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
        "A name never changes, so this makes a new tag: its first version has the newest body of "
        "this one, with the references as they are written. This one is deprecated toward it: it "
        "goes on resolving, and whoever resolves it is told of the new name."
    )
    name = NameField("New name", "namespace/name[:variant], which no tag and no alias has yet.")
    reason = ReasonField("everybody who resolves the old name")
    aliases = forms.MultipleChoiceField(
        label="Aliases that follow",
        help_text="Whoever asks by one gets the new tag from then on.",
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, subject: Tag, actor: Actor, data: Any = None) -> None:
        super().__init__(subject, actor, data)
        offered = self._movable()
        self.fields["aliases"].choices = [(text, text) for text in offered]  # type: ignore[attr-defined]
        self.initial["aliases"] = offered
        if not offered:
            del self.fields["aliases"]

    @classmethod
    def applies(cls, subject: Tag) -> bool:
        """Tell whether the tag is not deprecated."""
        return not subject.last_deprecated

    def perform(self) -> str:
        old = TagName.parse(self.subject.text)
        with report_errors_at("/name"):
            new = TagName.parse(self.cleaned_data["name"])
        aliases = self.cleaned_data.get("aliases", [])
        reason = self.cleaned_data["reason"]
        made = renaming.rename_tag(old, new, reason=reason, aliases=aliases, actor=self.actor)
        return f"{old} is now {made.exact}; the old name leads to it."

    def _movable(self) -> list[str]:
        """Return the aliases that this user may point elsewhere."""
        aliases = renaming.floating_aliases(self.subject)
        references = [Reference(text) for text in aliases]
        movable = permissions.allowed_among(self.actor, Action.POINT_ALIAS, references)
        return [str(reference) for reference in movable]
