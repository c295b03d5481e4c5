"""The pages where users list, issue and revoke their tokens."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.actions.action_form import Outcome
from registry.actions.tokens import IssueOwnToken, RevokeToken
from registry.http.signed_in import SignedInRequest
from registry.services.accounts import token_list
from registry.services.namespaces import directory
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page


@login_required_page
def tokens(request: SignedInRequest) -> HttpResponse:
    """List the user's tokens, with a form that issues another one.

    The secret of a new token is shown in this one response and is stored nowhere. A token that is
    worth stealing needs the password again.
    """
    user = request.user
    return action_view(
        request,
        IssueOwnToken,
        directory.namespaces_of(user),
        success_url=reverse("tokens"),
        respond=partial(_issued, request),
        extra_context=lambda: {
            "rows": [(each, token_list.token_state(each)) for each in token_list.list_tokens(user)]
        },
        section="me",
    )


def _issued(request: HttpRequest, outcome: Outcome) -> HttpResponse:
    context = {"section": "me", "secret": outcome.message}
    return render(request, "registry/accounts/token_issued.html", context)


@login_required_page
def revoke(request: SignedInRequest, prefix: str) -> HttpResponse:
    """Revoke a token after confirmation. Responds with 404 to anybody but its owner."""
    token = token_list.find_token(request.user, prefix)
    if token is None:
        raise Http404
    return action_view(
        request,
        RevokeToken,
        token,
        success_url=reverse("tokens"),
        is_checked=True,
        section="me",
        token=token,
    )
