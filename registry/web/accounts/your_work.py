"""What waits for somebody, and what became of what they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.models import Proposal, Role, SavedDraft
from registry.services.core.permissions import Actor
from registry.services.proposals import listing, saved_drafts
from registry.web.core.dates import Moment
from registry.web.core.decorators import login_required_page


@dataclass(frozen=True, slots=True)
class Line:
    """A proposal, and when something was last done to it."""

    proposal: Proposal
    changed: Moment


@dataclass(frozen=True, slots=True)
class Kept:
    """A draft, and when it was last saved."""

    draft: SavedDraft
    changed: Moment


@login_required_page
def your_work(request: HttpRequest) -> HttpResponse:
    """What waits for who is signed in; a draft that is dropped is gone."""
    if request.method == "POST":
        return _drop(request)
    user: Any = request.user
    found = listing.your_work(user)
    context = {
        "section": "me",
        "found": found,
        "waiting_for_me": _lines(found.waiting_for_me),
        "to_review": _lines(found.to_review),
        "mine": _lines(found.mine),
        "decided": _lines(found.decided),
        "drafts": [Kept(draft, Moment(draft.changed)) for draft in found.drafts],
        "owner": Role.OWNER,
    }
    return render(request, "registry/accounts/concerns.html", context)


def _lines(found: Sequence[Proposal]) -> list[Line]:
    return [Line(proposal, Moment(proposal.changed)) for proposal in found]


def _drop(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    try:
        key = UUID(request.POST.get("drop", ""))
    except ValueError:
        raise Refused(Code.DRAFT_UNKNOWN, "That is no draft.") from None
    saved_drafts.delete_draft(key, actor=Actor(user))
    messages.success(request, "The draft is dropped.")
    return HttpResponseRedirect(reverse("concerns"))
