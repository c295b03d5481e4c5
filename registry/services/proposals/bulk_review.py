"""Bulk review: accepts several plain proposals, those without open questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from registry.domain.errors import Refused
from registry.domain.proposal_states import ProposalState
from registry.domain.reference import Tag as TagName
from registry.models import Proposal, Version
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.proposals import approvals, listing, review
from registry.services.proposals.evaluation import Evaluation
from registry.services.proposals.listing import ListedProposal

MAX_SELECTED = 50  # one page of the list


@dataclass(frozen=True, slots=True)
class SeenRevision:
    """The numbers of a proposal and of the revision that the reviewer has seen.

    `digest` is that of the target that it had then; without one, any is accepted.
    """

    number: int
    seen: int
    digest: str = ""

    def __str__(self) -> str:
        return ":".join(filter(None, (str(self.number), str(self.seen), self.digest)))


@dataclass(frozen=True, slots=True)
class SelectedProposal:
    """A selected proposal with its evaluation; `objection` is empty if it is plain."""

    pair: SeenRevision
    listed: ListedProposal | None
    objection: str

    @property
    def shown(self) -> SeenRevision:
        """Return what accepting it is about: the target as it was evaluated."""
        evaluation = self.listed.evaluation if self.listed else None
        draft = evaluation.draft if evaluation else None
        return replace(self.pair, digest=draft.digest) if draft else self.pair


@dataclass(frozen=True, slots=True)
class BulkResult:
    """The published proposals with their versions, and the skipped ones."""

    published: tuple[tuple[SeenRevision, Version], ...]
    skipped: tuple[SelectedProposal, ...]


def evaluate(pairs: Sequence[SeenRevision], *, actor: Actor | None) -> tuple[SelectedProposal, ...]:
    """Return a candidate for each selected proposal. Thirteen queries in total.

    Raises `Refused` (UNAUTHENTICATED, FORBIDDEN) unless the actor may review all of them.
    """
    _require_permission(pairs, actor)
    return _candidates(pairs)


def _require_permission(pairs: Sequence[SeenRevision], actor: Actor | None) -> None:
    """Raise `Refused` unless the actor may review all of the proposals. Two queries."""
    proposals = Proposal.objects.filter(pk__in=[pair.number for pair in pairs])
    tags = [TagName.parse(tag) for tag in proposals.values_list("tag", flat=True)]
    permissions.require_all(actor, Action.REVIEW, tags)


def _candidates(pairs: Sequence[SeenRevision]) -> tuple[SelectedProposal, ...]:
    proposals = Proposal.objects.filter(pk__in=[pair.number for pair in pairs])
    rows = listing.with_evaluations(list(proposals.as_listed()))
    by_number = {row.proposal.pk: row for row in rows}
    return tuple(_candidate(pair, by_number.get(pair.number)) for pair in pairs)


def accept_plain(pairs: Sequence[SeenRevision], *, actor: Actor | None) -> BulkResult:
    """Publish each proposal that is still plain, each in its own transaction.

    Skips the others, for instance if an earlier one has changed their evaluation, or the actor has
    lost the permission. Raises `Refused` (UNAUTHENTICATED, FORBIDDEN), before any write, unless the
    actor may review all of them.
    """
    _require_permission(pairs, actor)
    published, skipped = [], []
    for pair in pairs:
        result = _accept(pair, actor)
        if isinstance(result, Version):
            published.append((pair, result))
        else:
            skipped.append(result)
    return BulkResult(tuple(published), tuple(skipped))


def _accept(pair: SeenRevision, actor: Actor | None) -> Version | SelectedProposal:
    candidate = SelectedProposal(pair, None, "")
    try:
        with write_lock():  # evaluates and publishes in one state
            (candidate,) = _candidates([pair])
            if candidate.objection:
                return candidate
            version = review.accept(pair.number, seen=pair.seen, digest=pair.digest, actor=actor)
            assert version  # noqa: S101 - four-eyes is an objection, under the same lock
            return version
    except Refused as refusal:
        return SelectedProposal(pair, candidate.listed, refusal.detail)


def _candidate(pair: SeenRevision, listed: ListedProposal | None) -> SelectedProposal:
    if listed is None:
        return SelectedProposal(pair, None, f"There is no proposal {pair.number}.")
    return SelectedProposal(pair, listed, objection(listed, pair))


def objection(listed: ListedProposal, pair: SeenRevision) -> str:
    """Return the reason against accepting a proposal in bulk; empty if it is plain."""
    proposal, evaluation = listed.proposal, listed.evaluation
    if proposal.state != ProposalState.OPEN or evaluation is None:
        return f"It is no longer open: {proposal.state}."
    if proposal.revision != pair.seen:
        return f"Revision {proposal.revision} is the newest; revision {pair.seen} was selected."
    if approvals.needs_two(proposal):
        return f"{proposal.namespace} is under four-eyes: accept it on its own page."
    questions = ", ".join(open_questions(evaluation))
    if questions:
        return f"{questions[0].upper()}{questions[1:]}."
    # Decision 198: an acceptance publishes what its form showed.
    if pair.digest and evaluation.draft and pair.digest != evaluation.draft.digest:
        return "What it refers to has changed since it was selected, and its target with it."
    return ""


def open_questions(evaluation: Evaluation) -> Iterator[str]:
    """Yield the open questions of an evaluation as phrases."""
    if evaluation.refusal:
        faults = evaluation.refusal.faults
        yield f"invalid: {faults[0].message if faults else evaluation.refusal.detail}".rstrip(".")
    elif evaluation.has_moved:
        yield f"the tag has moved to {evaluation.last or 'no version'}"
    elif evaluation.draft and evaluation.draft.number is None:
        yield "nothing would change"
    if evaluation.lints:
        yield f"{len(evaluation.lints)} lint{'s' * (len(evaluation.lints) > 1)}"
    if evaluation.dependents:
        yield f"{evaluation.dependents} dependent{'s' * (evaluation.dependents > 1)}"
