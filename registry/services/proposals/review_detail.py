"""Proposals under review: the admin's list, and one with the effects of accepting it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from registry.domain.errors import Refused
from registry.domain.proposal_states import ProposalState
from registry.models import Proposal, Version
from registry.services.proposals import listing
from registry.services.proposals.listing import ProposalDetail
from registry.services.search.deadlines import unless_busy
from registry.services.versions import near_duplicates
from registry.services.versions.drafting import Draft
from registry.services.versions.impact import Impact, compute_impact
from registry.services.versions.near_duplicates import NearDuplicate

MAX_EFFECTS = 20  # dependents that a page shows


@dataclass(frozen=True, slots=True)
class ReviewDetail:
    """A proposal, with the effects of publishing its newest revision if it is undecided.

    `near_duplicates` is None if the search for near duplicates took too long.
    """

    proposal_detail: ProposalDetail
    draft: Draft | None = None
    refusal: Refused | None = None
    impact: Impact | None = None
    near_duplicates: tuple[NearDuplicate, ...] | None = ()


def list_proposals() -> QuerySet[Proposal]:
    """Return all proposals, with submitter, namespace and version."""
    return Proposal.objects.as_listed()


def count_waiting() -> int:
    """Return the number of proposals that wait for a curator."""
    return Proposal.objects.filter(state=ProposalState.OPEN).count()


def proposal_of_version(version: Version) -> Proposal | None:
    """Return the proposal that became a version, if any."""
    return Proposal.objects.select_related("submitter").filter(version=version).first()


def review_detail(number: int) -> ReviewDetail:
    """Return a proposal for review. Raises `Refused` (PROPOSAL_UNKNOWN)."""
    detail = listing.proposal_detail(number)
    evaluation = detail.evaluation
    if evaluation is None:
        return ReviewDetail(detail)
    if evaluation.draft is None:
        return ReviewDetail(detail, refusal=evaluation.refusal)
    draft = evaluation.draft
    return ReviewDetail(
        detail,
        draft,
        impact=compute_impact(draft, limit=MAX_EFFECTS),
        near_duplicates=near_duplicates_in_time(draft),
    )


def near_duplicates_in_time(draft: Draft) -> tuple[NearDuplicate, ...] | None:
    """Return tags with nearly the same target; None if the search took too long."""
    if draft.resolution.is_mixin:
        return ()
    return unless_busy(lambda: near_duplicates.find_near_duplicates(draft))
