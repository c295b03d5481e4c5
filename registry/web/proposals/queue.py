"""The page of the proposal queue."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.errors import Code, Refused
from registry.domain.version_number import Bump
from registry.services.core import cursors
from registry.services.core.paging import parse_limit
from registry.services.proposals import listing
from registry.services.proposals.evaluation import Evaluation
from registry.services.proposals.listing import ListedProposal
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.parameters import takes
from registry.web.proposals import queue_filters
from registry.web.proposals.queue_filters import NAMESPACE, PARAMETERS, SUBMITTER, TAG, QueueQuery

TEMPLATE = "registry/proposals/queue.html"
INVALID_QUERY = (Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN)  # the page keeps the filters


@public_page
@takes(*PARAMETERS)
def queue(request: HttpRequest) -> HttpResponse:
    """List proposals, oldest first; by default the undecided ones."""
    query = QueueQuery.parse(request.GET)
    try:
        filters = listing.parse_filters(
            state=query.state,
            namespace=query.filters.get(NAMESPACE, ""),
            tag=query.filters.get(TAG, ""),
            submitter=query.filters.get(SUBMITTER, ""),
        )
        page = listing.list_queue(
            filters,
            after=cursors.decode_cursor(request.path, request.GET),
            limit=parse_limit(request.GET),
        )
    except Refused as refusal:
        if refusal.code not in INVALID_QUERY:
            raise
        return error_pages.refusal_page(request, refusal, template=TEMPLATE, **_context(query))
    context = {
        **_context(query),
        "rows": [(listed, _outcome(listed), _is_blocked(listed)) for listed in page.rows],
        "states": list(queue_filters.states(query, listing.count_by_state(filters))),
        "namespaces": list(queue_filters.namespaces(query, listing.top_namespaces(filters))),
        "next": cursors.next_url(request.path, request.GET, page.next_key),
    }
    return render(request, TEMPLATE, context)


def _is_blocked(listed: ListedProposal) -> bool:
    """Return whether a proposal must be revised before it can be accepted."""
    evaluation = listed.evaluation
    return evaluation is not None and (evaluation.has_moved or evaluation.draft is None)


def _outcome(listed: ListedProposal) -> str:
    """Return the next version of a proposal, or the reason that it has none."""
    if listed.evaluation:
        return _evaluation_text(listed.evaluation)
    version = listed.proposal.version
    return f"published as {version.number}" if version else ""


def _evaluation_text(evaluation: Evaluation) -> str:
    """Return the version that accepting would publish, or what prevents it, in a few words."""
    if evaluation.has_moved:
        return "tag has moved: needs a revision"
    if evaluation.refusal:
        faults = evaluation.refusal.faults
        return f"invalid: {faults[0].message if faults else evaluation.refusal.detail}"
    draft = evaluation.draft
    if draft is None or draft.number is None:
        return "same as the newest version: nothing to publish"
    return (
        f"new tag, {draft.number}" if draft.bump is Bump.FIRST else f"{draft.number}, {draft.bump}"
    )


def _context(query: QueueQuery) -> dict[str, Any]:
    return {"section": "proposals", "query": query, "chips": list(queue_filters.chips(query))}
