"""What waits for review, the oldest first, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.errors import Code, Refused
from registry.domain.version_number import Bump
from registry.services.core import cursors
from registry.services.proposals import listing
from registry.services.proposals.evaluation import Verdict
from registry.services.proposals.listing import STATES, ListedProposal
from registry.web.core import error_pages
from registry.web.core.dates import Moment
from registry.web.core.decorators import public_page
from registry.web.core.error_pages import Suggestion
from registry.web.proposals import queue_filters as asking
from registry.web.proposals.queue_filters import NAMESPACE, STATE, SUBMITTER, TAG, QueueQuery

TEMPLATE = "registry/proposals/queue.html"
ILL_ASKED = (Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN)


@dataclass(frozen=True, slots=True)
class Row:
    """A proposal in the queue; `becomes` is what it would be published as, or why it is not."""

    listed: ListedProposal
    becomes: str
    is_held_up: bool  # as it is, it cannot be accepted
    submitted: Moment


@public_page
def queue(request: HttpRequest) -> HttpResponse:
    """Proposals, those that wait unless others are asked for."""
    asked = QueueQuery.of(request.GET)
    try:
        wanted = listing.parse_filters(
            state=asked.state,
            namespace=asked.facts.get(NAMESPACE, ""),
            tag=asked.facts.get(TAG, ""),
            submitter=asked.facts.get(SUBMITTER, ""),
        )
        found = listing.list_queue(wanted, after=cursors.decode_cursor(request.path, request.GET))
    except Refused as refusal:
        if refusal.code not in ILL_ASKED:
            raise
        return _ill_asked(request, asked, refusal)
    context = {
        **_context(asked),
        "rows": [row(listed) for listed in found.rows],
        "states": list(asking.states(asked, listing.count_by_state(wanted))),
        "namespaces": list(asking.namespaces(asked, listing.top_namespaces(wanted))),
        "next": cursors.next_url(request.path, request.GET, found.following),
    }
    return render(request, TEMPLATE, context)


def row(listed: ListedProposal) -> Row:
    """A proposal as a list shows it."""
    verdict = listed.verdict
    is_held_up = verdict is not None and (verdict.has_moved or verdict.draft is None)
    return Row(listed, _becomes(listed), is_held_up, Moment(listed.proposal.created))


def _becomes(listed: ListedProposal) -> str:
    if listed.verdict:
        return becomes(listed.verdict)
    version = listed.proposal.version
    return f"published as {version.number}" if version else ""


def becomes(verdict: Verdict) -> str:
    """What a proposal would be today, or what stands in its way, in a few words."""
    if verdict.has_moved:
        return "tag has moved: to be revised"
    if verdict.refusal:
        faults = verdict.refusal.faults
        return f"invalid: {faults[0].message if faults else verdict.refusal.detail}"
    draft = verdict.draft
    if draft is None or draft.number is None:
        return "the newest version as it is: nothing to publish"
    return (
        f"new tag, {draft.number}" if draft.bump is Bump.FIRST else f"{draft.number}, {draft.bump}"
    )


def _ill_asked(request: HttpRequest, asked: QueueQuery, refusal: Refused) -> HttpResponse:
    """The page without a list, with all that was asked for."""
    near = [Suggestion(name, asked.having(NAMESPACE, name)) for name in refusal.suggestions]
    if STATE in request.GET and asked.state not in STATES:
        near = [
            Suggestion(asking.state_label(state), asked.having(STATE, state)) for state in STATES
        ]
    return error_pages.refusal_page(
        request, refusal, template=TEMPLATE, **_context(asked), near=near
    )


def _context(asked: QueueQuery) -> dict[str, Any]:
    return {"section": "proposals", "asked": asked, "chips": list(asking.chips(asked))}
