"""The page of a proposal, and the pages of the actions on it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from registry.actions.policy_warnings import policy_warning
from registry.actions.review import ACTIONS_BY_SLUG, DECISIONS, Accept, Comment, ReviewAction
from registry.domain import proposal_states
from registry.domain.proposal_states import ProposalState
from registry.domain.reference import Tag as TagName
from registry.models import Proposal
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.proposals import (
    approvals,
    change_requests,
    listing,
    review_detail,
    timeline,
)
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page, public_page
from registry.web.proposals import history, review_checks

ACTION_TEMPLATE = "registry/proposals/action.html"


@public_page
def proposal(request: HttpRequest, number: int) -> HttpResponse:
    """Show a proposal with its checks, its impact and its history."""
    checks = review_detail.review_detail(number)
    detail = checks.proposal_detail
    context = {
        "section": "proposals",
        "reviewers": detail.reviewers,
        "proposal": detail.proposal,
        "newest": detail.newest,
        "body": review_checks.highlighted_body(checks),
        **review_checks.review_checks(checks),
        **_available_actions(request, detail.proposal),
        "message": history.linkify(detail.newest.message),
        "sources": [(url, url.startswith("https://")) for url in detail.newest.source_urls],
        "history": history.history(detail.turns),
        "requests": history.history(change_requests.standing(detail.proposal, detail.turns)),
        "policy_warning": _policy_warning(detail.proposal),
        "submitted": detail.proposal.created,
        "changed": detail.proposal.changed,
    }
    return render(request, "registry/proposals/proposal.html", context)


@login_required_page
def proposal_action(request: HttpRequest, number: int, verb: str) -> HttpResponse:
    """Show the form of an action with its effects, and run it."""
    form_class = ACTIONS_BY_SLUG.get(verb)
    if form_class is None:
        raise Http404
    proposal = timeline.find_proposal(number)
    if request.method != "POST":  # a POST is refused by the form, which keeps the input
        _refuse(form_class, proposal, request.user)
    is_accept = form_class is Accept
    response = action_view(
        request,
        form_class,
        proposal,
        success_url=reverse("proposal", args=[number]),
        template=ACTION_TEMPLATE,
        extra_context=lambda: (
            review_checks.review_checks(review_detail.review_detail(number)) if is_accept else {}
        ),
        section="proposals",
        proposal=proposal,
        is_accept=is_accept,
        stale_revision=_stale_revision(request, proposal),
    )
    if is_accept and isinstance(response, HttpResponseRedirect):
        reference = listing.published_reference(number)  # empty after the first of two approvals
        return HttpResponseRedirect(reverse("tag", args=[reference])) if reference else response
    return response


def _refuse(form_class: type[ReviewAction], proposal: Proposal, user: Any) -> None:
    """Raise `Refused` if the user or the proposal's state does not permit the action."""
    form_class(proposal, Actor(user)).check_permission()
    proposal_states.next_state(ProposalState(proposal.state), form_class.action)


def _stale_revision(request: HttpRequest, proposal: Proposal) -> str:
    """Return the revision that the form was opened on if it is not the newest, else ""."""
    seen = request.POST.get("seen", "")
    return seen if seen.isdecimal() and 0 < int(seen[:9]) < proposal.revision else ""


def _policy_warning(proposal: Proposal) -> str:
    """Return a warning if too few curators can decide a proposal; empty once it is decided."""
    return policy_warning(proposal.namespace) if proposal.is_undecided else ""


def _available_actions(request: HttpRequest, proposal: Proposal) -> dict[str, Any]:
    """Return the actions to offer to the user. The services check the permissions again."""
    user: Any = request.user
    if not user.is_authenticated:
        return {}
    return {
        "comment": Comment(proposal, Actor(user)),
        "decisions": [form for form in _decisions(proposal, user) if form.is_available(proposal)],
        "is_approved": approvals.is_approved(proposal, by=user),
        "is_revisable": proposal.submitter_id == user.pk and proposal.is_undecided,
    }


def _decisions(proposal: Proposal, user: Any) -> tuple[type[ReviewAction], ...]:
    if not permissions.allowed(Actor(user), Action.REVIEW, TagName.parse(proposal.tag)):
        return ()
    if approvals.is_approved(proposal, by=user):
        return tuple(form for form in DECISIONS if form is not Accept)
    return DECISIONS
