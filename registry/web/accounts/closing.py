"""Closing an account."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from registry.actions.accounts import CloseAccount
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page


def close_account(request: HttpRequest, **_: Any) -> HttpResponse:
    """What stays and what goes; then, for good, what is asked for. Whoever did it is signed out."""
    response = action_view(
        request,
        CloseAccount,
        request.user,
        leads_to=reverse("home"),
        template="registry/accounts/close.html",
        section="me",
        row_url=reverse("concerns"),
    )
    if isinstance(response, HttpResponseRedirect):
        logout(request)
    return response


# The password, or a code, once more: a browser left open is not enough.
close = login_required_page(reauthentication_required(close_account, allow_get=True))
