"""The pages of the actions on a tag and on its aliases."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, reverse

from registry.actions import aliases, tags
from registry.actions.action_form import ActionForm, Outcome
from registry.domain.reference import Reference
from registry.models import Tag
from registry.services.tags import status
from registry.web.core.action_pages import reference_pages


def own_reference(reference: Reference) -> Reference:
    """Return a reference to a tag by its own name. Raises `Refused` (TAG_UNKNOWN)."""
    return Reference(status.tag_named(reference).text, reference.selector)


def deprecation_in_force(tag: Tag) -> dict[str, Any]:
    """Return the deprecation that is in force, for the page that undoes it."""
    return {"change": "Deprecated", "in_force": status.current_deprecation(tag.text)}


def url_after(action: type[ActionForm], tag: Tag, outcome: Outcome | None) -> str:
    """Return the URL of the tag, of its new name, or of the list that shows its deprecations."""
    if action in (tags.Deprecate, tags.Undeprecate):
        return reverse("versions", args=[tag.text])
    return reverse("tag", args=[outcome.location if outcome and outcome.location else tag.text])


def action_pages() -> list[URLPattern]:
    """Return the pages of all actions on a tag, and of the one that points aliases at it."""
    return [
        *reference_pages(tags.TAG, status.tag_named, url_after, deprecation_in_force),
        *reference_pages(
            aliases.ALIASED_TAG,
            own_reference,
            lambda action, reference, outcome: reverse("tag", args=[reference.text]),
        ),
    ]
