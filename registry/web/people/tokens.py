"""The tokens of who is signed in: made, shown once, revoked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.acts.tokens import IssueOwn, Revoke
from registry.models import Token
from registry.services.permissions import Actor
from registry.services.reading import curating, own_tokens, owning
from registry.web import carried
from registry.web.acting import acted, typed_before
from registry.web.dates import Moment
from registry.web.page import signed_in


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
        return cls(token, curating.token_state(token), used)


@signed_in
def tokens(request: HttpRequest) -> HttpResponse:
    """All there are, and a form for another.

    A new one's text is on this one answer: no message, no session and no address keeps it.
    """
    user: Any = request.user
    names = owning.namespaces_of(user)
    form = IssueOwn(names, Actor(user), request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound:
        secret, status = form.attempt()
        if secret is not None:
            return _issued(request, secret)
    elif typed := carried.take(request):
        form.initial.update(typed_before(form, typed))
    context = {
        "section": "me",
        "form": form,
        "here": request.path,
        "row_url": reverse("tokens"),
        "rows": [Row.of(token) for token in own_tokens.tokens(user)],
    }
    return render(request, "registry/people/tokens.html", context, status=status)


def _issued(request: HttpRequest, secret: str) -> HttpResponse:
    context = {"section": "me", "secret": secret, "here": request.build_absolute_uri("/")}
    return render(request, "registry/people/issued.html", context)


@signed_in
def revoke(request: HttpRequest, prefix: str) -> HttpResponse:
    """One put out of force, once that is confirmed; there is no page for another's."""
    user: Any = request.user
    token = own_tokens.token(user, prefix)
    if token is None:
        raise Http404
    leads_to = reverse("tokens")
    template = "registry/people/token_revoke.html"
    return acted(
        request, Revoke, token, leads_to=leads_to, template=template, section="me", token=token
    )
