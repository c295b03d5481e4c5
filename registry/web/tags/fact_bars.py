"""The facts of a machine, with bars that compare them with those of its family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from registry.domain.search.comparable_facts import COMPARABLE_FACTS
from registry.domain.search.peers import FactRange, Peer, fact_ranges
from registry.web.core.units import fact_text
from registry.web.versions.values import TargetValue

POINTERS = {fact.pointer: fact for fact in COMPARABLE_FACTS.values()}


def fact_bars(
    facts: Iterable[TargetValue], peers: Sequence[Peer]
) -> list[tuple[TargetValue, int, str]]:
    """Return facts with bars where the family states different numbers.

    A bar is the share of the family's largest in percent, with the family's range in words.
    """
    ranges = fact_ranges(peers)
    return [(fact, *_bar(fact, ranges)) for fact in facts]


def _bar(fact: TargetValue, ranges: dict[str, FactRange]) -> tuple[int, str]:
    comparable = POINTERS.get(fact.pointer)
    numbers = ranges.get(comparable.name) if comparable else None
    if comparable is None or numbers is None or numbers.smallest == numbers.largest:
        return 0, ""
    smallest, largest = (
        fact_text(comparable, number) for number in (numbers.smallest, numbers.largest)
    )
    if smallest.partition(" ")[2].removesuffix("s") == largest.partition(" ")[2].removesuffix("s"):
        smallest = smallest.partition(" ")[0]
    words = f"of {smallest} to {largest}, {numbers.count} tags"
    return numbers.share(fact.quantity or 0), words
