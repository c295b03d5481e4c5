"""The actions that the current user may take on a tag.

Anonymous users may propose, and that costs no query.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.tags.detail import VersionDetail


@dataclass(frozen=True, slots=True)
class AvailableAction:
    """A link to an action, with a short description."""

    text: str
    url: str
    description: str


def available_actions(user: Any, detail: VersionDetail) -> list[AvailableAction]:
    """Return what a user may do to a tag and the shown version. At most five queries."""
    url = reverse("submit", query={"tag": str(detail.profile.name)})
    propose = AvailableAction("Propose a change", url, "submit a new version for review")
    report = AvailableAction(
        "Report a wrong fact", url, "correct it in the newest body, with a source"
    )
    return [
        propose,
        report,
        *(_member_actions(Actor(user), detail) if user.is_authenticated else ()),
    ]


def _member_actions(actor: Actor, detail: VersionDetail) -> Iterator[AvailableAction]:
    name, version, resolution = detail.profile.name, detail.version, detail.answer
    tag, exact, number = str(name), version.exact, version.number
    if permissions.allowed(actor, Action.YANK, name):
        if resolution.version.last_yanked:
            url = reverse("unyank", args=[exact])
            yield AvailableAction(f"Undo yank of {number}", url, "references resolve to it again")
        else:
            yield AvailableAction(
                f"Yank {number}",
                reverse("yank", args=[exact]),
                "only exact references still resolve",
            )
    if permissions.allowed(actor, Action.DEPRECATE, name):
        if resolution.version.tag_deprecated:
            url = reverse("undeprecate", args=[tag])
            yield AvailableAction("Undo deprecation", url, "stop warning users")
        else:
            yield AvailableAction(
                "Deprecate", reverse("deprecate", args=[tag]), "warn users and name a successor"
            )
            yield AvailableAction(
                "Rename", reverse("rename", args=[tag]), "publish it under a new name"
            )
    if permissions.allowed(actor, Action.MARK_FAMILY, name):
        text = "Mark as no family" if detail.version.tag.is_family else "Mark as family"
        url = reverse("family", args=[tag])
        yield AvailableAction(text, url, "whether it describes several machines")
    if permissions.allowed(actor, Action.POINT_ALIAS, name):
        yield AvailableAction("Alias", reverse("alias", args=[tag]), "another name for this tag")
    if permissions.allowed(actor, Action.PUBLISH, name):
        url = reverse("rebase", args=[tag])
        yield AvailableAction(
            "Rebase dependents", url, "publish its dependents again with its newest version"
        )
