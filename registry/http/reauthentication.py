"""Asks users who they are again before what would help someone at their browser most."""

from __future__ import annotations

import time

from allauth.account import app_settings
from allauth.account.internal.flows.reauthentication import (
    did_recently_reauthenticate,
    get_authentication_records,
    get_reauthentication_flows,
    record_authentication,
    resume_request,
)
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponse

from registry.http.signed_in import user_of
from registry.models import User
from registry.services.accounts import identities
from registry.services.core.permissions import Actor


def actor_of(request: HttpRequest) -> Actor:
    """Return the actor of a signed-in user; of a POST, with whether they have confirmed it."""
    is_confirmed = request.method == "POST" and is_recent(request)
    return Actor(user_of(request), is_confirmed=is_confirmed)


def is_recent(request: HttpRequest) -> bool:
    """Return whether a signed-in user has entered a password or code lately, here or elsewhere.

    Elsewhere is at the identity provider. allauth asks nothing of accounts that only have an
    identity there. An account without any of it has nothing to enter.
    """
    user = user_of(request)
    if not _only_has_identity(user):
        return bool(did_recently_reauthenticate(request))
    records = get_authentication_records(request, user)
    moments = [record["at"] for record in records if record.get("reauthenticated")]
    return bool(moments) and time.time() - moments[-1] < app_settings.REAUTHENTICATION_TIMEOUT


def _only_has_identity(user: User) -> bool:
    """Return whether an account has neither password nor second factor, but an identity."""
    if user.has_usable_password() or not identities.current_identities(user).exists():
        return False
    return not get_reauthentication_flows(user)


def note_confirmed(request: HttpRequest, user: User, method: str) -> None:
    """Note that a user has shown who they are just now, by a method with allauth's name."""
    record_authentication(request, user, method, reauthenticated=True)


def require_identity(request: HttpRequest) -> None:
    """Raise allauth's `ReauthenticationRequired` where allauth itself would ask for nothing.

    Who has neither password nor second factor signs in at the identity provider again.
    """
    if request.user.is_authenticated and _only_has_identity(user_of(request)):
        require(Actor(user_of(request), is_confirmed=is_recent(request)))


def resume(request: HttpRequest) -> HttpResponse | None:
    """Process the form that waited until the user showed who they are; None if none did."""
    response: HttpResponse | None = resume_request(request)
    return response


def require(actor: Actor) -> None:
    """Raise allauth's `ReauthenticationRequired` unless the user has confirmed who they are lately.

    allauth keeps the posted form in the session, asks for the password and processes the form.
    """
    if not actor.is_confirmed:
        raise ReauthenticationRequired
