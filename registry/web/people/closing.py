"""Closing an account."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from registry.acts.accounts import Close
from registry.web.acting import acted
from registry.web.page import signed_in


def closed(request: HttpRequest, **_: Any) -> HttpResponse:
    """What stays and what goes; then, for good, what is asked for. Whoever did it is signed out."""
    response = acted(
        request,
        Close,
        request.user,
        leads_to=reverse("home"),
        template="registry/people/close.html",
        section="me",
        row_url=reverse("concerns"),
    )
    if isinstance(response, HttpResponseRedirect):
        logout(request)
    return response


# The password, or a code, once more: a browser left open is not enough.
close = signed_in(reauthentication_required(closed, allow_get=True))
