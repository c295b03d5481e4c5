"""Proposals as staff weighs them: rows of the queue, and one with all that its acceptance means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from registry.domain.errors import Code, Refused
from registry.domain.reviewing import State
from registry.models import Proposal, Version
from registry.services import duplicates
from registry.services.downstream.impact import Impact, impact
from registry.services.drafting import Draft
from registry.services.duplicates import Near
from registry.services.reading import proposals
from registry.services.reading.proposals import Sheet

MOST_EFFECTS = 20  # dependents that a page shows; they are drafted for it


@dataclass(frozen=True, slots=True)
class Weighed:
    """A proposal, and what publishing its newest revision would do now; decided: nothing more.

    `near` is None where looking for near duplicates took too long.
    """

    sheet: Sheet
    draft: Draft | None = None
    refusal: Refused | None = None
    impact: Impact | None = None
    near: tuple[Near, ...] | None = ()

    @property
    def has_moved(self) -> bool:
        """Whether the tag has a version that the revision was not written over."""
        return bool(self.sheet.verdict and self.sheet.verdict.has_moved)


def rows() -> QuerySet[Proposal]:
    """All proposals, with whose they are, where, and what they became."""
    return Proposal.objects.as_listed()


def waiting() -> int:
    """How many wait for a curator."""
    return Proposal.objects.filter(state=State.OPEN).count()


def in_state(found: QuerySet[Proposal], states: Sequence[str]) -> QuerySet[Proposal]:
    """Those in one of some states."""
    return found.filter(state__in=states)


def that_became(version: Version) -> Proposal | None:
    """The proposal that was published as a version, if one was."""
    return Proposal.objects.select_related("submitter").filter(version=version).first()


def weigh(number: int) -> Weighed:
    """One proposal as it stands today. Raises `Refused` (PROPOSAL_UNKNOWN)."""
    sheet = proposals.sheet(number)
    verdict = sheet.verdict
    if verdict is None:
        return Weighed(sheet)
    if verdict.draft is None:
        return Weighed(sheet, refusal=verdict.refusal)
    draft = verdict.draft
    return Weighed(sheet, draft, impact=impact(draft, limit=MOST_EFFECTS), near=_near(draft))


def _near(draft: Draft) -> tuple[Near, ...] | None:
    if draft.resolution.is_mixin:
        return ()
    try:
        return duplicates.near(draft)
    except Refused as refusal:
        if refusal.code is not Code.BUSY:
            raise
        return None
