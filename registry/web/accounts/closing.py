"""The page for closing an account."""

from __future__ import annotations

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from registry.actions.accounts import CloseAccount
from registry.actions.action_form import Outcome
from registry.web.core.action_views import action_view, done
from registry.web.core.decorators import login_required_page


@login_required_page
def close(request: HttpRequest) -> HttpResponse:
    """List what is kept and what is deleted; on POST close the account and sign the user out."""

    def respond(outcome: Outcome) -> HttpResponse:
        response = done(request, outcome, reverse("home"))
        logout(request)
        return response

    return action_view(
        request,
        CloseAccount,
        request.user,
        success_url=reverse("your-work"),
        respond=respond,
        section="me",
    )
