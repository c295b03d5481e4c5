"""The pages where users list, issue and revoke their tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.actions.tokens import IssueOwnToken, RevokeToken
from registry.http import reauthentication
from registry.models import Token
from registry.services.accounts import token_list
from registry.services.namespaces import directory
from registry.services.search import admin_lists
from registry.web.core.action_views import action_view, attempt_with_password
from registry.web.core.dates import Moment
from registry.web.core.decorators import login_required_page


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token in the list; `last_used` is None if it was never used."""

    token: Token
    state: str
    last_used: Moment | None

    @classmethod
    def of(cls, token: Token) -> TokenRow:
        last_used = Moment(token.last_used) if token.last_used else None
        return cls(token, admin_lists.token_state(token), last_used)


@login_required_page
def tokens(request: HttpRequest) -> HttpResponse:
    """List the user's tokens, with a form that issues another one.

    The secret of a new token is shown in this one response and is stored nowhere. A token that is
    worth stealing needs the password again.
    """
    user: Any = request.user
    names = directory.namespaces_of(user)
    actor = reauthentication.actor_of(request)
    form = IssueOwnToken(names, actor, request.POST if request.method == "POST" else None)
    outcome, status = attempt_with_password(request, form, actor)
    if outcome is not None:
        issued = {"section": "me", "secret": outcome.message}
        return render(request, "registry/accounts/token_issued.html", issued)
    context = {
        "section": "me",
        "form": form,
        "form_url": request.path,
        "cancel_url": reverse("tokens"),
        "rows": [TokenRow.of(token) for token in token_list.list_tokens(user)],
    }
    return render(request, "registry/accounts/tokens.html", context, status=status)


@login_required_page
def revoke(request: HttpRequest, prefix: str) -> HttpResponse:
    """Revoke a token after confirmation. Responds with 404 to anybody but its owner."""
    user: Any = request.user
    token = token_list.find_token(user, prefix)
    if token is None:
        raise Http404
    return action_view(
        request,
        RevokeToken,
        token,
        success_url=reverse("tokens"),
        section="me",
        token=token,
    )
