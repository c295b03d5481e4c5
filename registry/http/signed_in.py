"""The signed-in user of a request, typed, and what they may do."""

from __future__ import annotations

from django.http import HttpRequest

from registry.models import User
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor, Subject


class SignedInRequest(HttpRequest):
    """The request of a view under `login_required_page`: never of an anonymous user."""

    user: User


def user_of(request: HttpRequest) -> User:
    """Return the user of a request, who is signed in."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - views have checked it
    return user


def is_allowed(request: HttpRequest, action: Action, subject: Subject) -> bool:
    """Return whether the user may take an action; no query for anonymous users."""
    user = request.user
    return isinstance(user, User) and permissions.allowed(Actor(user), action, subject)
