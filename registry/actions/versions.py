"""Actions on versions."""

from __future__ import annotations

from typing import Any, ClassVar

from registry.actions.action_form import ActionForm, Outcome, Route
from registry.actions.fields import ReasonField
from registry.actions.subjects import VERSION
from registry.domain.errors import Code
from registry.domain.reference import Reference
from registry.models import Version
from registry.services.core.permissions import Action, Actor
from registry.services.versions import yank_impact, yanking

REASON = ("ReasonRequest", "The reason for a change.")


class Yank(ActionForm):
    """Yank a version with a public reason."""

    slug = page = "yank"
    subject_type: ClassVar = VERSION
    permission = Action.YANK
    inapplicable = "already yanked"
    route = Route("Yank a version", *REASON)
    button = "Yank"
    hint = "only exact references still resolve"
    consequence = "Exact references still resolve, with the reason; floating ones skip the version."
    template = "registry/versions/yank.html"
    reason = ReasonField("everyone who resolves the exact version")

    @classmethod
    def is_available(cls, subject: Version) -> bool:
        """Return whether the version is not yanked."""
        return not subject.yanked

    @classmethod
    def preview(cls, subject: Version) -> dict[str, Any]:
        """Return what resolves in its place, and which tags would show a warning."""
        return {"impact": yank_impact.compute_yank_impact(VERSION.name_of(subject))}

    @classmethod
    def perform(cls, version: Reference, *, reason: str, actor: Actor) -> Outcome:
        """Yank a version: exact references still resolve, with the reason."""
        withdrawal = yanking.yank(version, reason=reason, actor=actor)
        return Outcome(f"{version} is yanked.", withdrawal)


class Unyank(ActionForm):
    """Undo the yank of a version."""

    slug = page = "unyank"
    subject_type: ClassVar = VERSION
    permission = Action.UNYANK
    inapplicable = "not yanked"
    route = Route("Undo a yank", *REASON, codes=(Code.CYCLE,))
    button = "Undo yank"
    preposition = " of "
    hint = "references resolve to it again"
    consequence = "Floating references can resolve to the version again."
    template = "registry/versions/unyank.html"
    reason = ReasonField("everyone who reads the version's history")

    @classmethod
    def is_available(cls, subject: Version) -> bool:
        """Return whether the version is yanked."""
        return subject.yanked

    @classmethod
    def perform(cls, version: Reference, *, reason: str, actor: Actor) -> Outcome:
        """Undo a yank."""
        withdrawal = yanking.unyank(version, reason=reason, actor=actor)
        return Outcome(f"{version} is no longer yanked.", withdrawal)
