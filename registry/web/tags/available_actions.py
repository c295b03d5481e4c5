"""The actions that the current user may take on a tag.

Anonymous users may propose, and that costs no query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from django.urls import reverse

from registry.actions.action_form import ActionForm
from registry.actions.aliases import ALIASED_TAG
from registry.actions.tags import TAG
from registry.actions.versions import VERSION
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.tags.detail import VersionDetail


@dataclass(frozen=True, slots=True)
class AvailableAction:
    """A link to an action, with a short description."""

    text: str
    url: str
    description: str


def available_actions(user: Any, detail: VersionDetail) -> list[AvailableAction]:
    """Return what a user may do to a tag and the shown version. At most five queries."""
    name = str(detail.overview.name)
    is_permitted = _permissions(user, detail)
    propose = AvailableAction(
        "Propose a change",
        reverse("submit", query={"tag": name}),
        "submit a new version for review"
        + (", or publish it" if is_permitted(Action.PUBLISH) else ""),
    )
    report = AvailableAction(
        "Report a wrong fact",
        reverse("report-fact", args=[name]),
        "state the right value and its source",
    )
    return [
        propose,
        report,
        *(_member_actions(is_permitted, detail) if user.is_authenticated else ()),
    ]


def _permissions(user: Any, detail: VersionDetail) -> Callable[[Action | None], bool]:
    """Return a function that tells whether a user may take an action, and asks once for each."""
    if not user.is_authenticated:
        return lambda _action: False
    return cache(partial(permissions.allowed, Actor(user), subject=detail.overview.name))


def _member_actions(
    is_permitted: Callable[[Action | None], bool], detail: VersionDetail
) -> Iterator[AvailableAction]:
    name, version, tag = detail.overview.name, detail.answer.version, detail.version.tag
    tag.last_deprecated = version.tag_deprecated  # the resolution has loaded it
    for action in VERSION.actions:
        if action.page and action.is_available(version) and is_permitted(action.permission):
            text = f"{action.button}{action.preposition}{detail.version.number}"
            yield _link(action, text, detail.version.exact)
    for action in (*TAG.actions, *ALIASED_TAG.actions):
        if action.page and action.is_available(tag) and is_permitted(action.permission):
            yield _link(action, action.link or action.button, str(name))
    if is_permitted(Action.PUBLISH):
        url = reverse("rebase", args=[str(name)])
        yield AvailableAction(
            "Rebase dependents", url, "publish its dependents again with its newest version"
        )


def _link(action: type[ActionForm], text: str, subject: str) -> AvailableAction:
    return AvailableAction(text, reverse(action.page, args=[subject]), action.hint)
