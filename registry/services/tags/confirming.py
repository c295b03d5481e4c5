"""Confirms changes under four-eyes that somebody else has requested."""

from __future__ import annotations

from registry.domain.reference import Reference
from registry.models import ChangeKind, PendingChange
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.namespaces import four_eyes, namespaces
from registry.services.tags import aliases


def confirm_change(number: int, *, actor: Actor | None) -> PendingChange:
    """Make a pending change that somebody else requested; return it.

    Raises `Refused`: FORBIDDEN for the requester, CONFLICT if it is no longer pending or its
    requester may no longer request it; and as pointing an alias and setting a policy do.
    """
    actor = permissions.authenticated(actor)
    change = four_eyes.find_pending(number)
    if change.kind == ChangeKind.POLICY:
        namespaces.confirm_policy(number, actor=actor)
    else:
        four_eyes.require_confirmable(change, actor.user, requester_needs=Action.POINT_ALIAS)
        reference = Reference.parse(change.after)
        aliases.point_alias(change.subject, reference, actor=actor, expected=change.before)
    return change
