"""Refuses requests that write, unless their resource declares what they do and the actor may."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor


class MayTakeAction(BasePermission):
    """Everybody may read. What else a request does, its resource declares as its `write_action`.

    So 401 and 403 come before any fault of the request. The service checks again, before it
    computes and under the write lock: it decides, this class only answers early. A resource that
    declares nothing accepts no method but those that read.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """Tell whether a request is answered. Raises `Refused` (UNAUTHENTICATED, FORBIDDEN)."""
        if request.method in SAFE_METHODS or view.reads_by_post:
            return True
        action: Action | None = view.write_action
        if action is None:
            return False
        subjects = view.subjects(**view.kwargs)  # a path that names nothing is refused first
        permissions.require_all(actor_of(request), action, subjects)
        return True


def actor_of(request: Request) -> Actor | None:
    """Return who sends a request, where a token says so."""
    return request.auth if isinstance(request.auth, Actor) else None
