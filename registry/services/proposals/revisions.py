"""The comparison of two revisions of a proposal, as text and as targets."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.diff import Change, diff_targets
from registry.domain.errors import Code, Refused
from registry.models import Proposal, ProposalRevision
from registry.services.proposals import evaluation, timeline
from registry.services.versions.drafting import Draft


@dataclass(frozen=True, slots=True)
class RevisionPair:
    """Two revisions of a proposal with their drafts, which are None if invalid."""

    proposal: Proposal
    old: ProposalRevision
    new: ProposalRevision
    old_draft: Draft | None
    new_draft: Draft | None
    changes: tuple[Change, ...]  # leaf by leaf, if both are valid


def compare_revisions(number: int, old: int, new: int) -> RevisionPair:
    """Compare two revisions of a proposal. Raises `Refused` (PROPOSAL_UNKNOWN). Eleven queries."""
    proposal = timeline.find_proposal(number)
    for revision_number in (old, new):
        if not 1 <= revision_number <= proposal.revision:
            raise Refused(
                Code.PROPOSAL_UNKNOWN,
                f"Proposal {number} has no revision {revision_number}: it has 1 to "
                f"{proposal.revision}.",
            )
    rows = ProposalRevision.objects.filter(proposal=proposal, number__in=(old, new))
    revisions = {revision.number: revision for revision in rows}
    for revision in revisions.values():
        revision.proposal = proposal
    evaluations = evaluation.evaluate_revisions(list(revisions.values()))
    before, after = (evaluations[revisions[key].pk].draft for key in (old, new))
    return RevisionPair(
        proposal, revisions[old], revisions[new], before, after, _changes(before, after)
    )


def _changes(before: Draft | None, after: Draft | None) -> tuple[Change, ...]:
    if before is None or after is None:
        return ()
    old, new, kinds = before.resolution.target, after.resolution.target, after.current.kinds
    return diff_targets(
        old,
        new,
        kinds,
        old_provenance=before.resolution.provenance,
        new_provenance=after.resolution.provenance,
    )
