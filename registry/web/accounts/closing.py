"""The page for closing an account."""

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
    """List what is kept and what is deleted; on POST close the account and sign the user out."""
    response = action_view(
        request,
        CloseAccount,
        request.user,
        success_url=reverse("home"),
        section="me",
        cancel_url=reverse("your-work"),
    )
    if isinstance(response, HttpResponseRedirect):
        logout(request)
    return response


# Asks for the password or a code again, in case somebody else uses the open browser.
close = login_required_page(reauthentication_required(close_account, allow_get=True))
