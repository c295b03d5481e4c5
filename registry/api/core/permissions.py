"""The permission check of the API: writes need a declared action that the actor may take."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor


class MayTakeAction(BasePermission):
    """Allows reads, and writes if the actor may take the `write_action` of the resource.

    Thus 401 and 403 come before validation errors of the request. The service checks again, before
    it computes and under the write lock. A resource without `write_action` is read-only.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether a request is allowed. Raises `Refused` (UNAUTHENTICATED, FORBIDDEN)."""
        if request.method in SAFE_METHODS or view.reads_by_post:
            return True
        action: Action | None = view.write_action
        if action is None:
            return False
        subjects = view.subjects(**view.kwargs)  # rejects paths to unknown subjects first
        permissions.require_all(actor_of(request), action, subjects)
        return True


def actor_of(request: Request) -> Actor | None:
    """Return the actor of a request; None without a token."""
    return request.auth if isinstance(request.auth, Actor) else None
