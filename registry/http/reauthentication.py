"""Asks users for their password again before what would help someone at their browser most."""

from __future__ import annotations

from allauth.account.internal.flows.reauthentication import (
    did_recently_reauthenticate,
    record_authentication,
)
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest

from registry.http.signed_in import user_of
from registry.models import User
from registry.services.core.permissions import Actor


def actor_of(request: HttpRequest) -> Actor:
    """Return the actor of a signed-in user; of a POST, with whether the password is confirmed.

    A second factor counts too. An account without either has nothing to enter.
    """
    is_confirmed = request.method == "POST" and did_recently_reauthenticate(request)
    return Actor(user_of(request), is_confirmed=is_confirmed)


def note_sign_up(request: HttpRequest, user: User) -> None:
    """Note that somebody has entered the password of an account just now, by choosing it."""
    record_authentication(request, user, "password", reauthenticated=True)


def require(actor: Actor) -> None:
    """Raise allauth's `ReauthenticationRequired` unless the password was entered again lately.

    allauth keeps the posted form in the session, asks for the password and processes the form.
    """
    if not actor.is_confirmed:
        raise ReauthenticationRequired
