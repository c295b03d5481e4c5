"""A proposal: its state, what it would do today, its history, and what can be done to it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from registry.actions.review import ACTS, DECIDING, Accept, Comment, ReviewAction
from registry.domain import proposal_states
from registry.domain.proposal_states import ProposalState
from registry.domain.reference import Tag as TagName
from registry.models import Proposal
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.proposals import listing, review, review_detail, timeline
from registry.services.proposals.review_detail import ReviewDetail
from registry.web.core.action_views import action_view
from registry.web.core.dates import Moment
from registry.web.core.decorators import login_required_page, public_page
from registry.web.proposals import history, review_checks

ACT = "registry/proposals/act.html"


@public_page
def proposal(request: HttpRequest, number: int) -> HttpResponse:
    """One, with all that was said and done."""
    weighed = review_detail.review_detail(number)
    found = weighed.sheet.proposal
    newest = weighed.sheet.newest
    context = {
        **_about(weighed),
        **review_checks.body(weighed),
        **review_checks.review_checks(weighed),
        **_offered(request, found),
        "message": history.linked(newest.message),
        "sources": [(url, url.startswith("https://")) for url in listing.sources_of(newest)],
        "history": history.history(weighed.sheet.turns),
        "submitted": Moment(found.created),
        "changed": Moment(found.changed),
    }
    return render(request, "registry/proposals/proposal.html", context)


@login_required_page
def act(request: HttpRequest, number: int, verb: str) -> HttpResponse:
    """What is done to it, each act on a page of its own that says what comes of it."""
    chosen = ACTS.get(verb)
    if chosen is None:
        raise Http404
    found = timeline.find_proposal(number)
    if request.method != "POST":  # what is sent is answered with all that was typed
        _refuse(chosen, found, request.user)
    response = action_view(
        request,
        chosen,
        found,
        leads_to=reverse("proposal", args=[number]),
        template=ACT,
        more=lambda: (
            review_checks.review_checks(review_detail.review_detail(number))
            if chosen is Accept
            else {}
        ),
        section="proposals",
        proposal=found,
        is_accept=chosen is Accept,
        is_stale=_is_stale(request, found),
    )
    if chosen is Accept and isinstance(response, HttpResponseRedirect):
        return HttpResponseRedirect(reverse("tag", args=[listing.published_reference(number)]))
    return response


def _refuse(chosen: type[ReviewAction], found: Proposal, user: Any) -> None:
    """Raise `Refused` for who may not, and for what is not done in the proposal's state."""
    chosen(found, Actor(user)).admit()
    proposal_states.next_state(ProposalState(found.state), chosen.act)


def _is_stale(request: HttpRequest, found: Proposal) -> str:
    """The revision that a form was about which is not the newest any more; empty otherwise."""
    seen = request.POST.get("seen", "")
    return seen if seen.isdecimal() and 0 < int(seen[:9]) < found.revision else ""


def _about(weighed: ReviewDetail) -> dict[str, Any]:
    return {
        "section": "proposals",
        "weighed": weighed,
        "sheet": weighed.sheet,
        "proposal": weighed.sheet.proposal,
        "newest": weighed.sheet.newest,
    }


def _offered(request: HttpRequest, found: Proposal) -> dict[str, Any]:
    """What who reads it can do; the services decide, whatever is offered."""
    user: Any = request.user
    if not user.is_authenticated:
        return {}
    is_submitter = found.submitter_id == user.pk
    return {
        "comment": Comment(found, Actor(user)),
        "deciding": [each for each in _decisions(found, user) if each.applies(found)],
        "is_own_decision": review.is_own(found, user),
        "is_revisable": is_submitter and found.is_undecided,
    }


def _decisions(found: Proposal, user: Any) -> tuple[type[ReviewAction], ...]:
    if not permissions.allowed(Actor(user), Action.REVIEW, TagName.parse(found.tag)):
        return ()
    if review.is_own(found, user):
        return tuple(each for each in DECIDING if each is not Accept)
    return DECIDING
