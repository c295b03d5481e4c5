"""The page of a proposal, and the pages of the actions on it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.actions.action_form import Outcome
from registry.actions.policy_warnings import policy_warning
from registry.actions.proposals import DECISIONS, PROPOSAL, Accept, Comment, ReviewAction
from registry.domain.reference import Tag as TagName
from registry.models import Proposal
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.proposals import (
    approvals,
    review_detail,
    timeline,
)
from registry.web.core.action_views import action_view, done
from registry.web.core.decorators import login_required_page, public_page
from registry.web.proposals import history, review_checks

ACTIONS = {action.slug: action for action in PROPOSAL.actions}


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
        "requests": history.history(timeline.unanswered(detail.proposal, detail.turns)),
        "policy_warning": _policy_warning(detail.proposal),
        "submitted": detail.proposal.created,
        "changed": detail.proposal.changed,
    }
    return render(request, "registry/proposals/proposal.html", context)


@login_required_page
def proposal_action(request: HttpRequest, number: int, verb: str) -> HttpResponse:
    """Show the form of an action with its effects, and run it."""
    action = ACTIONS.get(verb)
    if action is None:
        raise Http404
    proposal = timeline.find_proposal(number)
    is_accept = action is Accept
    return action_view(
        request,
        action,
        proposal,
        success_url=reverse("proposal", args=[number]),
        respond=partial(_published, request, number),
        extra_context=lambda: (
            review_checks.review_checks(review_detail.review_detail(number)) if is_accept else {}
        ),
        section="proposals",
        proposal=proposal,
        is_accept=is_accept,
        stale_revision=_stale_revision(request, proposal),
    )


def _published(request: HttpRequest, number: int, outcome: Outcome) -> HttpResponse:
    """Redirect to the new version, if there is one, or back to the proposal."""
    name, subject = ("tag", outcome.location) if outcome.location else ("proposal", number)
    return done(request, outcome, reverse(name, args=[subject]))


def _stale_revision(request: HttpRequest, proposal: Proposal) -> str:
    """Return the revision that the form was opened on if it is not the newest, else ""."""
    seen = request.POST.get("seen", "")
    return seen if seen.isdecimal() and 0 < int(seen[:9]) < proposal.revision else ""


def _policy_warning(proposal: Proposal) -> str:
    """Return a warning if too few curators can decide a proposal; empty once it is decided."""
    return policy_warning(proposal.namespace) if proposal.is_undecided else ""


def _available_actions(request: HttpRequest, proposal: Proposal) -> dict[str, Any]:
    """Return the actions to offer to the user. The services check the permissions again."""
    user = request.user
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
