"""Many proposals accepted at once: those with nothing to think about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from registry.domain.errors import Refused
from registry.domain.proposal_states import ProposalState
from registry.domain.reference import Tag as TagName
from registry.models import Proposal, User, Version
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import write_lock
from registry.services.proposals import listing, review
from registry.services.proposals.evaluation import Verdict
from registry.services.proposals.listing import ListedProposal

MAX_SELECTED = 50  # at once: a page of the list


@dataclass(frozen=True, slots=True)
class SeenRevision:
    """A proposal and the revision of it that somebody looked at."""

    number: int
    seen: int

    def __str__(self) -> str:
        return f"{self.number}:{self.seen}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair, what would become of it today, and what stands `against` it; empty for nothing."""

    pair: SeenRevision
    listed: ListedProposal | None
    against: str


@dataclass(frozen=True, slots=True)
class BulkResult:
    """What was published, and what was passed over, each with why."""

    published: tuple[tuple[SeenRevision, Version], ...]
    skipped: tuple[Candidate, ...]


def evaluate(pairs: Sequence[SeenRevision], *, actor: Actor | None) -> tuple[Candidate, ...]:
    """Return what would become of each pair today. Thirteen queries, however many.

    Raises `Refused` (UNAUTHENTICATED, FORBIDDEN) for who may not review one of them.
    """
    return _look(pairs, _permitted(pairs, actor))


def _permitted(pairs: Sequence[SeenRevision], actor: Actor | None) -> User:
    """Return the account of somebody who may review all of the proposals. Two queries."""
    proposed = Proposal.objects.filter(pk__in=[pair.number for pair in pairs])
    tags = [TagName.parse(tag) for tag in proposed.values_list("tag", flat=True)]
    return permissions.require_all(actor, Action.REVIEW, tags).user


def _look(pairs: Sequence[SeenRevision], user: User) -> tuple[Candidate, ...]:
    found = Proposal.objects.filter(pk__in=[pair.number for pair in pairs])
    there = list(found.as_listed())
    known = {each.proposal.pk: each for each in listing.with_verdicts(there)}
    return tuple(_ticked(pair, known.get(pair.number), user) for pair in pairs)


def accept_plain(pairs: Sequence[SeenRevision], *, actor: Actor | None) -> BulkResult:
    """Publish each proposal that is still plain, one after the other, each by itself.

    What is not, by then, is passed over: an earlier one can have made it so, or the right to
    review it is gone. Raises `Refused` (UNAUTHENTICATED, FORBIDDEN), before anything is written,
    for who may not review one of them.
    """
    user = _permitted(pairs, actor)
    published, skipped = [], []
    for pair in pairs:
        found = _accepted(pair, actor, user)
        if isinstance(found, Version):
            published.append((pair, found))
        else:
            skipped.append(found)
    return BulkResult(tuple(published), tuple(skipped))


def _accepted(pair: SeenRevision, actor: Actor | None, user: User) -> Version | Candidate:
    ticked = Candidate(pair, None, "")
    try:
        with write_lock():  # nothing comes between the look and the publication, which checks
            (ticked,) = _look([pair], user)
            if ticked.against:
                return ticked
            return review.accept(pair.number, seen=pair.seen, actor=actor)
    except Refused as refusal:
        return Candidate(pair, ticked.listed, refusal.detail)


def _ticked(pair: SeenRevision, found: ListedProposal | None, user: User) -> Candidate:
    if found is None:
        return Candidate(pair, None, f"There is no proposal {pair.number}.")
    return Candidate(pair, found, objection(found, user, seen=pair.seen))


def objection(found: ListedProposal, user: User, *, seen: int) -> str:
    """Why somebody cannot accept a proposal without a look at it; empty where it is plain."""
    proposal, verdict = found.proposal, found.verdict
    if proposal.state != ProposalState.OPEN or verdict is None:
        return f"It is not open any more: {proposal.state}."
    if proposal.revision != seen:
        return f"Revision {proposal.revision} is the newest; revision {seen} was ticked."
    if review.is_own(proposal, user):
        return f"In {proposal.namespace} nobody accepts what they proposed."
    said = ", ".join(open_questions(verdict))
    return f"{said[0].upper()}{said[1:]}." if said else ""


def open_questions(verdict: Verdict) -> Iterator[str]:
    """What there is to think about, in words; none for a plain proposal."""
    if verdict.refusal:
        faults = verdict.refusal.faults
        yield f"invalid: {faults[0].message if faults else verdict.refusal.detail}".rstrip(".")
    elif verdict.has_moved:
        yield f"the tag has moved to {verdict.last or 'nothing'}"
    elif verdict.draft and verdict.draft.number is None:
        yield "nothing would change"
    if verdict.lints:
        yield f"{len(verdict.lints)} lint{'s' * (len(verdict.lints) > 1)}"
    if verdict.dependents:
        yield f"{verdict.dependents} dependent{'s' * (verdict.dependents > 1)}"
