"""Proposals as staff weighs them: rows of the queue, and one with all that its acceptance means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from registry.domain.errors import Code, Refused
from registry.domain.proposal_states import ProposalState
from registry.models import Proposal, Version
from registry.services.proposals import listing
from registry.services.proposals.listing import ProposalDetail
from registry.services.versions import near_duplicates
from registry.services.versions.drafting import Draft
from registry.services.versions.impact import Impact, compute_impact
from registry.services.versions.near_duplicates import NearDuplicate

MAX_EFFECTS = 20  # dependents that a page shows; they are drafted for it


@dataclass(frozen=True, slots=True)
class ReviewDetail:
    """A proposal, and what publishing its newest revision would do now; decided: nothing more.

    `near` is None where looking for near duplicates took too long.
    """

    sheet: ProposalDetail
    draft: Draft | None = None
    refusal: Refused | None = None
    impact: Impact | None = None
    near: tuple[NearDuplicate, ...] | None = ()

    @property
    def has_moved(self) -> bool:
        """Whether the tag has a version that the revision was not written over."""
        return bool(self.sheet.verdict and self.sheet.verdict.has_moved)


def list_proposals() -> QuerySet[Proposal]:
    """All proposals, with whose they are, where, and what they became."""
    return Proposal.objects.as_listed()


def count_waiting() -> int:
    """How many wait for a curator."""
    return Proposal.objects.filter(state=ProposalState.OPEN).count()


def in_state(found: QuerySet[Proposal], states: Sequence[str]) -> QuerySet[Proposal]:
    """Those in one of some states."""
    return found.filter(state__in=states)


def proposal_of_version(version: Version) -> Proposal | None:
    """The proposal that was published as a version, if one was."""
    return Proposal.objects.select_related("submitter").filter(version=version).first()


def review_detail(number: int) -> ReviewDetail:
    """One proposal as it stands today. Raises `Refused` (PROPOSAL_UNKNOWN)."""
    sheet = listing.proposal_detail(number)
    verdict = sheet.verdict
    if verdict is None:
        return ReviewDetail(sheet)
    if verdict.draft is None:
        return ReviewDetail(sheet, refusal=verdict.refusal)
    draft = verdict.draft
    return ReviewDetail(
        sheet, draft, impact=compute_impact(draft, limit=MAX_EFFECTS), near=_near(draft)
    )


def _near(draft: Draft) -> tuple[NearDuplicate, ...] | None:
    if draft.resolution.is_mixin:
        return ()
    try:
        return near_duplicates.find_near_duplicates(draft)
    except Refused as refusal:
        if refusal.code is not Code.BUSY:
            raise
        return None
