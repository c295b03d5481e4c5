"""Many proposals accepted at once: those with nothing to think about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from registry.domain.errors import Refused
from registry.domain.reviewing import State
from registry.models import Proposal, User, Version
from registry.services.reading import proposals
from registry.services.reading.proposals import Listed
from registry.services.reviewing import deciding
from registry.services.reviewing.judging import Verdict
from registry.services.writing import exclusive

MOST = 50  # at once: a page of the list


@dataclass(frozen=True, slots=True)
class Pair:
    """A proposal and the revision of it that somebody looked at."""

    number: int
    seen: int

    def __str__(self) -> str:
        return f"{self.number}:{self.seen}"


@dataclass(frozen=True, slots=True)
class Ticked:
    """A pair, what would become of it today, and what stands `against` it; empty for nothing."""

    pair: Pair
    listed: Listed | None
    against: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was published, and what was passed over, each with why."""

    published: tuple[tuple[Pair, Version], ...]
    skipped: tuple[Ticked, ...]


def look(pairs: Sequence[Pair], *, actor: User) -> tuple[Ticked, ...]:
    """What would become of each pair today. Eleven queries, however many."""
    found = Proposal.objects.filter(pk__in=[pair.number for pair in pairs])
    there = list(found.as_listed())
    known = {each.proposal.pk: each for each in proposals.listed(there)}
    return tuple(_ticked(pair, known.get(pair.number), actor) for pair in pairs)


def accept_plain(pairs: Sequence[Pair], *, actor: User) -> Outcome:
    """Publish each proposal that is still plain, one after the other, each by itself.

    What is not, by then, is passed over: an earlier one can have made it so. Faces ask
    `permissions` who may review.
    """
    published, skipped = [], []
    for pair in pairs:
        found = _accepted(pair, actor)
        if isinstance(found, Version):
            published.append((pair, found))
        else:
            skipped.append(found)
    return Outcome(tuple(published), tuple(skipped))


def _accepted(pair: Pair, actor: User) -> Version | Ticked:
    ticked = Ticked(pair, None, "")
    try:
        with exclusive():  # nothing comes between the look and the publication
            (ticked,) = look([pair], actor=actor)
            if ticked.against:
                return ticked
            return deciding.accept(pair.number, seen=pair.seen, actor=actor)
    except Refused as refusal:
        return Ticked(pair, ticked.listed, refusal.detail)


def _ticked(pair: Pair, found: Listed | None, actor: User) -> Ticked:
    if found is None:
        return Ticked(pair, None, f"There is no proposal {pair.number}.")
    return Ticked(pair, found, objection(found, actor, seen=pair.seen))


def objection(found: Listed, actor: User, *, seen: int) -> str:
    """Why somebody cannot accept a proposal without a look at it; empty where it is plain."""
    proposal, verdict = found.proposal, found.verdict
    if proposal.state != State.OPEN or verdict is None:
        return f"It is not open any more: {proposal.state}."
    if proposal.revision != seen:
        return f"Revision {proposal.revision} is the newest; revision {seen} was ticked."
    if deciding.is_own(proposal, actor):
        return f"In {proposal.namespace} nobody accepts what they proposed."
    said = ", ".join(against(verdict))
    return f"{said[0].upper()}{said[1:]}." if said else ""


def against(verdict: Verdict) -> Iterator[str]:
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
