"""The page of a proposal, and the pages of the actions on it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.actions.action_form import Outcome
from registry.actions.namespaces import policy_warning
from registry.actions.proposals import PROPOSAL, Accept, Comment, available_decisions
from registry.domain.errors import Refused
from registry.domain.proposal_states import PROPOSED_AGAIN
from registry.domain.reference import Tag as TagName
from registry.http.signed_in import SignedInRequest
from registry.models import Proposal
from registry.services.accounts import profiles
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.proposals import approvals, listing, review_detail, timeline
from registry.services.proposals.evaluation import Evaluation
from registry.web.core.action_views import action_view, done
from registry.web.core.decorators import login_required_page, public_page
from registry.web.core.parameters import takes
from registry.web.proposals import history, review_checks
from registry.web.proposals.queue_filters import FILTERS, NAMESPACE, SUBMITTER, TAG, QueueQuery

ACTIONS = {action.slug: action for action in PROPOSAL.actions}


@public_page
@takes(*FILTERS)
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
        **_available_actions(request, detail.proposal, detail.evaluation),
        **_queue_context(request, detail.proposal),
        "message": history.linkify(detail.newest.message),
        "sources": [(url, url.startswith("https://")) for url in detail.newest.source_urls],
        "history": history.history(detail.turns),
        "requests": history.history(timeline.unanswered(detail.proposal, detail.turns)),
        "policy_warning": (
            policy_warning(detail.proposal.namespace) if detail.proposal.is_undecided else ""
        ),
        "submitted": detail.proposal.created,
        "changed": detail.proposal.changed,
    }
    return render(request, "registry/proposals/proposal.html", context)


@login_required_page
@takes(*FILTERS)
def proposal_action(request: SignedInRequest, number: int, verb: str) -> HttpResponse:
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
        success_url=reverse("proposal", args=[number]) + QueueQuery.parse(request.GET).suffix,
        respond=partial(_decided, request, proposal),
        extra_context=lambda: _acceptance(number) if is_accept else {},
        form_url=request.get_full_path(),
        section="proposals",
        proposal=proposal,
        is_accept=is_accept,
        stale_revision=_stale_revision(request, proposal),
    )


def _acceptance(number: int) -> dict[str, Any]:
    """Return what accepting would do, and whether it cannot work."""
    checks = review_checks.review_checks(review_detail.review_detail(number))
    evaluation = checks.get("evaluation")
    is_blocked = bool(evaluation and not evaluation.can_be_accepted)
    held = {"digest": checks["draft"].digest} if "draft" in checks else {}
    return {**checks, "is_blocked": is_blocked, "held": held}


def _decided(request: SignedInRequest, proposal: Proposal, outcome: Outcome) -> HttpResponse:
    """Redirect to the new version, or to the proposal if that leads on to the next one."""
    query = QueueQuery.parse(request.GET)
    if outcome.location and _next_to_review(request.user, query, proposal) is None:
        return done(request, outcome, reverse("tag", args=[outcome.location]))
    return done(request, outcome, reverse("proposal", args=[proposal.pk]) + query.suffix)


def _queue_context(request: HttpRequest, proposal: Proposal) -> dict[str, Any]:
    """Return the queue that the reader came from, and for reviewers the next proposal in it."""
    query = QueueQuery.parse(request.GET)
    following = None
    if request.user.is_authenticated:
        following = _next_to_review(request.user, query, proposal)
    return {"queue": query, "next_to_review": following}


def _next_to_review(user: Any, query: QueueQuery, proposal: Proposal) -> Proposal | None:
    names = {name: query.filters.get(name, "") for name in (NAMESPACE, TAG, SUBMITTER)}
    try:
        filters = listing.parse_filters(**names)
    except Refused:  # the list says what is wrong with its filters
        return None
    return listing.next_to_review(user, filters, after=proposal.pk)


def _stale_revision(request: HttpRequest, proposal: Proposal) -> str:
    """Return the revision that the form was opened on if it is not the newest, else ""."""
    seen = request.POST.get("seen", "")
    return seen if seen.isdecimal() and 0 < int(seen[:9]) < proposal.revision else ""


def _available_actions(
    request: HttpRequest, proposal: Proposal, evaluation: Evaluation | None
) -> dict[str, Any]:
    """Return the actions to offer to the user. The services check the permissions again."""
    user = request.user
    if not user.is_authenticated:
        return {}
    is_reviewer = permissions.allowed(Actor(user), Action.REVIEW, TagName.parse(proposal.tag))
    decisions = available_decisions(proposal, user, evaluation) if is_reviewer else []
    has_record = is_reviewer and proposal.submitter_id != user.pk
    return {
        "comment": Comment(proposal, Actor(user)),
        "decisions": [form(proposal, Actor(user)) for form in decisions],
        "is_blocked": evaluation is not None and not evaluation.can_be_accepted,
        "record": profiles.submitter_record(proposal) if has_record else None,
        "is_approved": approvals.is_approved(proposal, by=user),
        "is_revisable": proposal.submitter_id == user.pk and proposal.is_undecided,
        "is_repeatable": proposal.submitter_id == user.pk and proposal.state in PROPOSED_AGAIN,
    }
