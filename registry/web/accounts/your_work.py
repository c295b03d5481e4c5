"""The page of the signed-in user: their proposals, reviews, drafts and roles."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.http.signed_in import SignedInRequest
from registry.models import Proposal, Role, Turn
from registry.services.core.permissions import Actor
from registry.services.namespaces import request_list
from registry.services.proposals import listing, saved_drafts, timeline
from registry.web.core.decorators import login_required_page


@login_required_page
def your_work(request: SignedInRequest) -> HttpResponse:
    """Show what waits for the user and what they submitted; on POST delete a draft."""
    if request.method == "POST":
        return _delete_draft(request)
    user = request.user
    work = listing.your_work(user)
    waiting = work.changes_requested
    changes = timeline.requested_changes(waiting.rows)
    requests = request_list.requests_of(user)
    context = {
        "section": "me",
        "waiting_for_me": [(row, changes.get(row.pk, ())) for row in waiting.rows],
        "has_more_waiting": waiting.next_key is not None,
        "to_review": _lines(work.to_review),
        "to_review_count": work.to_review_count,
        "submitted": _lines(work.open.rows),
        "has_more_submitted": work.open.next_key is not None,
        "decided": _lines(work.decided),
        "requests": requests.rows,
        "has_more_requests": requests.next_key is not None,
        "open_requests": request_list.count_open() if user.is_staff else 0,
        "drafts": work.drafts,
        "memberships": work.roles,
        "owner": Role.OWNER,
    }
    return render(request, "registry/accounts/your_work.html", context)


def _lines(proposals: Sequence[Proposal]) -> list[tuple[Proposal, tuple[Turn, ...]]]:
    """Return proposals without requested changes."""
    return [(proposal, ()) for proposal in proposals]


def _delete_draft(request: SignedInRequest) -> HttpResponse:
    try:
        key = UUID(request.POST.get("drop", ""))
    except ValueError:
        raise Refused(Code.DRAFT_UNKNOWN, "This draft does not exist.") from None
    saved_drafts.delete_draft(key, actor=Actor(request.user))
    messages.success(request, "The draft is deleted.")
    return HttpResponseRedirect(reverse("your-work"))
