"""The page of a person: what they published, proposed, reviewed and maintain."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from registry.services.accounts import profiles
from registry.services.core import cursors
from registry.services.core.paging import LIMIT, parse_limit
from registry.web.core.decorators import public_page
from registry.web.core.pages import page_links
from registry.web.core.parameters import takes

PAGE_SIZE = 50  # versions, unless a limit is given


# Decision 177: only public facts, and nothing of closed accounts.
@public_page
@takes(cursors.PARAMETER, LIMIT)
def user(request: HttpRequest, name: str) -> HttpResponse:
    """Show an open account; lead from another spelling of its name to the page."""
    account = profiles.find_open_account(name)
    if account.username != name:
        return HttpResponseRedirect(reverse("user", args=[account.username]))
    profile = profiles.profile(
        account,
        after=cursors.decode_cursor(request.path, request.GET),
        limit=parse_limit(request.GET) or PAGE_SIZE,
    )
    context = {
        "account": account,
        "profile": profile,
        "proposal_lines": [(proposal, ()) for proposal in profile.proposals],
        **page_links(request, profile.versions.next_key),
    }
    return render(request, "registry/accounts/profile.html", context)
