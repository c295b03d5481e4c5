"""The pages where users list, issue and revoke their tokens."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.actions.action_form import Outcome
from registry.actions.tokens import IssueOwnToken, RevokeToken
from registry.http.signed_in import SignedInRequest
from registry.services.accounts import token_list
from registry.services.core import cursors
from registry.services.core.paging import parse_limit
from registry.services.namespaces import directory
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page
from registry.web.core.pages import page_links


@login_required_page
def tokens(request: SignedInRequest) -> HttpResponse:
    """List the user's tokens page by page, with a form that issues another one.

    The secret of a new token is shown in this one response and is stored nowhere. A token that is
    worth stealing needs the password again.
    """
    return action_view(
        request,
        IssueOwnToken,
        directory.namespaces_of(request.user),
        success_url=reverse("tokens"),
        respond=partial(_issued, request),
        extra_context=partial(_listed, request),
        section="me",
    )


def _listed(request: SignedInRequest) -> dict[str, Any]:
    after = cursors.decode_cursor(request.path, request.GET)
    page = token_list.list_tokens(request.user, after=after, limit=parse_limit(request.GET))
    return {
        "rows": [(token, token_list.token_state(token)) for token in page.rows],
        **page_links(request, page.next_key),
    }


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
