"""Actions that yank versions and undo it."""

from __future__ import annotations

from typing import Any

from registry.actions.action_form import ActionForm, Route, State
from registry.actions.fields import REASON_REQUEST, ReasonField
from registry.actions.subjects import VERSION
from registry.domain.errors import Code
from registry.models import Version
from registry.services.core.permission_rules import Action
from registry.services.versions import yank_impact, yanking


class Yank(ActionForm):
    """Yank a version: exact references still resolve, with the reason."""

    slug = page = "yank"
    subject_type = VERSION
    permission = Action.YANK
    state = State("yanked", is_set=False, otherwise="already yanked")
    service = yanking.yank
    done = "{0} is yanked."
    button = "Yank"
    effect = "Yank version"
    consequence = (
        "References with a full version number still resolve, with the reason; all others skip the "
        "version. It can be undone."
    )
    template = "registry/versions/yank.html"
    hint = "only exact references still resolve"
    route = Route("Yank a version", *REASON_REQUEST)
    reason = ReasonField("everyone who resolves the exact version")

    @classmethod
    def preview(cls, subject: Version) -> dict[str, Any]:
        """Return what resolves in its place, and which tags would show a warning."""
        return {"impact": yank_impact.compute_yank_impact(VERSION.name_of(subject))}


class Unyank(ActionForm):
    """Undo the yank of a version."""

    slug = page = "unyank"
    subject_type = VERSION
    permission = Action.UNYANK
    state = State("yanked", is_set=True, otherwise="not yanked")
    service = yanking.unyank
    done = "{0} is no longer yanked."
    button = "Undo yank"
    preposition = " of "
    consequence = "Floating references can resolve to the version again."
    template = "registry/parts/undo.html"
    hint = "references resolve to it again"
    route = Route("Undo a yank", *REASON_REQUEST, codes=(Code.CYCLE,))
    reason = ReasonField("everyone who reads the version's history")
