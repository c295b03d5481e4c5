"""The tokens of who is signed in: made, shown once, revoked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.actions.tokens import IssueOwnToken, RevokeToken
from registry.models import Token
from registry.services.accounts import token_list
from registry.services.core.permissions import Actor
from registry.services.namespaces import directory
from registry.services.search import admin_lists
from registry.web.core import stashed_forms
from registry.web.core.action_views import action_view, stashed_fields
from registry.web.core.dates import Moment
from registry.web.core.decorators import login_required_page


@dataclass(frozen=True, slots=True)
class Row:
    """A token in the list; `used` is None for one that never was."""

    token: Token
    state: str
    used: Moment | None

    @classmethod
    def of(cls, token: Token) -> Row:
        """As it is stored."""
        used = Moment(token.last_used) if token.last_used else None
        return cls(token, admin_lists.token_state(token), used)


@login_required_page
def tokens(request: HttpRequest) -> HttpResponse:
    """All there are, and a form for another.

    A new one's text is on this one answer: no message, no session and no address keeps it.
    """
    user: Any = request.user
    names = directory.namespaces_of(user)
    form = IssueOwnToken(names, Actor(user), request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound:
        secret, status = form.attempt()
        if secret is not None:
            return _issued(request, secret)
    elif typed := stashed_forms.take_stashed(request):
        form.initial.update(stashed_fields(form, typed))
    context = {
        "section": "me",
        "form": form,
        "here": request.path,
        "row_url": reverse("tokens"),
        "rows": [Row.of(token) for token in token_list.list_tokens(user)],
    }
    return render(request, "registry/accounts/tokens.html", context, status=status)


def _issued(request: HttpRequest, secret: str) -> HttpResponse:
    context = {"section": "me", "secret": secret, "here": request.build_absolute_uri("/")}
    return render(request, "registry/accounts/issued.html", context)


@login_required_page
def revoke(request: HttpRequest, prefix: str) -> HttpResponse:
    """One put out of force, once that is confirmed; there is no page for another's."""
    user: Any = request.user
    token = token_list.find_token(user, prefix)
    if token is None:
        raise Http404
    leads_to = reverse("tokens")
    template = "registry/accounts/token_revoke.html"
    return action_view(
        request, RevokeToken, token, leads_to=leads_to, template=template, section="me", token=token
    )
