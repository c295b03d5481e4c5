"""A proposal: its state, what it would do today, its history, and what can be done to it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from registry.acts.reviewing import ACTS, DECIDING, Accept, Comment, Reviewing
from registry.domain import reviewing
from registry.domain.reference import Tag as TagName
from registry.domain.reviewing import State
from registry.models import Proposal
from registry.services import permissions
from registry.services.permissions import Action, Actor
from registry.services.reading import proposals, weighing
from registry.services.reading.weighing import Weighed
from registry.services.reviewing import deciding, turns
from registry.web.acting import acted
from registry.web.dates import Moment
from registry.web.page import page, signed_in
from registry.web.proposals import checks, said

ACT = "registry/proposals/act.html"


@page
def proposal(request: HttpRequest, number: int) -> HttpResponse:
    """One, with all that was said and done."""
    weighed = weighing.weigh(number)
    found = weighed.sheet.proposal
    newest = weighed.sheet.newest
    context = {
        **_about(weighed),
        **checks.body(weighed),
        **checks.checks(weighed),
        **_offered(request, found),
        "message": said.linked(newest.message),
        "sources": [(url, url.startswith("https://")) for url in proposals.sources_of(newest)],
        "history": said.history(weighed.sheet.turns),
        "submitted": Moment(found.created),
        "changed": Moment(found.changed),
    }
    return render(request, "registry/proposals/proposal.html", context)


@signed_in
def act(request: HttpRequest, number: int, verb: str) -> HttpResponse:
    """What is done to it, each act on a page of its own that says what comes of it."""
    chosen = ACTS.get(verb)
    if chosen is None:
        raise Http404
    found = turns.known(number)
    if request.method != "POST":  # what is sent is answered with all that was typed
        _refuse(chosen, found, request.user)
    response = acted(
        request,
        chosen,
        found,
        leads_to=reverse("proposal", args=[number]),
        template=ACT,
        more=lambda: checks.checks(weighing.weigh(number)) if chosen is Accept else {},
        section="proposals",
        proposal=found,
        is_accept=chosen is Accept,
        is_stale=_is_stale(request, found),
    )
    if chosen is Accept and isinstance(response, HttpResponseRedirect):
        return HttpResponseRedirect(reverse("tag", args=[proposals.published(number)]))
    return response


def _refuse(chosen: type[Reviewing], found: Proposal, user: Any) -> None:
    """Raise `Refused` for who may not, and for what is not done in the proposal's state."""
    chosen(found, Actor(user)).admit()
    reviewing.after(State(found.state), chosen.act)


def _is_stale(request: HttpRequest, found: Proposal) -> str:
    """The revision that a form was about which is not the newest any more; empty otherwise."""
    seen = request.POST.get("seen", "")
    return seen if seen.isdecimal() and 0 < int(seen[:9]) < found.revision else ""


def _about(weighed: Weighed) -> dict[str, Any]:
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
        "is_own_decision": deciding.is_own(found, user),
        "is_revisable": is_submitter and found.is_undecided,
    }


def _decisions(found: Proposal, user: Any) -> tuple[type[Reviewing], ...]:
    if not permissions.allowed(Actor(user), Action.REVIEW, TagName.parse(found.tag)):
        return ()
    if deciding.is_own(found, user):
        return tuple(each for each in DECIDING if each is not Accept)
    return DECIDING
