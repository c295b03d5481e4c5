"""Confirms changes under four-eyes that somebody else has requested."""

from __future__ import annotations

from registry.domain.reference import Reference
from registry.models import ChangeKind, PendingChange
from registry.services.core import permissions
from registry.services.core.permissions import Actor
from registry.services.namespaces import four_eyes, members, namespaces
from registry.services.tags import aliases


def confirm_change(number: int, *, actor: Actor | None) -> PendingChange:
    """Make a pending change that somebody else requested; return it.

    Raises `Refused`: FORBIDDEN for the requester, CONFLICT if it is no longer pending or its
    requester may no longer request it; and as pointing an alias and granting a role do.
    """
    actor = permissions.authenticated(actor)
    change = four_eyes.find_pending(number)
    match change.kind:
        case ChangeKind.POLICY:
            namespaces.confirm_policy(number, actor=actor)
        case ChangeKind.ROLE:
            members.confirm_role(number, actor=actor)
        case _:
            four_eyes.require_confirmable(change, actor.user)
            reference = Reference.parse(change.after)
            aliases.point_alias(change.subject, reference, actor=actor, expected=change.before)
    return change
