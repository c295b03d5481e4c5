"""The facts of a machine, with bars that compare them with those of its family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from registry.domain.comparable_facts import COMPARABLE_FACTS
from registry.domain.peers import FactRange, Peer, fact_ranges
from registry.web.core.units import fact_text
from registry.web.versions.values import TargetValue

POINTERS = {fact.pointer: fact for fact in COMPARABLE_FACTS.values()}


@dataclass(frozen=True, slots=True)
class FactBar:
    """A fact, its share of the family's largest in percent, and the family's range in words."""

    fact: TargetValue
    share: int | None = None
    range: str = ""


def fact_bars(facts: Iterable[TargetValue], peers: Sequence[Peer]) -> list[FactBar]:
    """Return facts with bars where the family states different numbers."""
    ranges = fact_ranges(peers)
    return [_bar(fact, ranges) for fact in facts]


def _bar(fact: TargetValue, ranges: dict[str, FactRange]) -> FactBar:
    comparable = POINTERS.get(fact.pointer)
    numbers = ranges.get(comparable.name) if comparable else None
    if comparable is None or numbers is None or numbers.smallest == numbers.largest:
        return FactBar(fact)
    smallest, largest = (
        fact_text(comparable, number) for number in (numbers.smallest, numbers.largest)
    )
    if smallest.partition(" ")[2].removesuffix("s") == largest.partition(" ")[2].removesuffix("s"):
        smallest = smallest.partition(" ")[0]
    words = f"of {smallest} to {largest}, {numbers.count} tags"
    return FactBar(fact, numbers.share(fact.quantity or 0), words)
