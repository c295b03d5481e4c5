"""Compares a machine with those of its family by their facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from registry.domain.names.machine_sizes import size_key
from registry.domain.search.comparable_facts import COMPARABLE_FACTS, FactOrder

NEIGHBOURS = 4  # a comparison takes five tags, with the one that it starts from
SIZES = ("compute_units", "cores", "memory")


@dataclass(frozen=True, slots=True)
class Peer:
    """A tag with its comparable facts by name; unknown ones are absent."""

    tag: str
    facts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FactRange:
    """The smallest and the largest value of a fact, and how many peers state it."""

    smallest: float
    largest: float
    count: int

    def share(self, number: float) -> int:
        """Return a number's share of the largest value in percent, at least 1."""
        return max(1, round(100 * number / self.largest))


def fact_ranges(peers: Sequence[Peer]) -> dict[str, FactRange]:
    """Return the range of each fact that a peer states, by its name."""
    values = {
        name: [peer.facts[name] for peer in peers if name in peer.facts]
        for name in COMPARABLE_FACTS
    }
    return {
        name: FactRange(min(numbers), max(numbers), len(numbers))
        for name, numbers in values.items()
        if numbers
    }


def sort_peers(peers: Sequence[Peer], order: FactOrder | None = None) -> list[Peer]:
    """Return peers by name and size, or by a fact; those that do not state it come last."""
    by_name = sorted(peers, key=lambda peer: size_key(peer.tag))
    if order is None:
        return by_name
    name, sign = order.fact.name, 1 if order.is_reversed else -1
    stating = [peer for peer in by_name if name in peer.facts]
    stating.sort(key=lambda peer: sign * peer.facts[name])
    return stating + [peer for peer in by_name if name not in peer.facts]


def neighbours(peers: Sequence[Peer], tag: str) -> list[str]:
    """Return up to four other tags that are nearest in size, by the fact that most peers state.

    Among the facts that the tag states itself; without any, the nearest by name. Tags that do not
    state the fact come last.
    """
    by_name = sort_peers(peers)
    own = next((peer.facts for peer in peers if peer.tag == tag), {})
    ranges = fact_ranges(peers)
    known = [name for name in SIZES if name in own]
    if not known:
        return _around([peer.tag for peer in by_name], tag)
    fact = max(known, key=lambda name: ranges[name].count)
    stating = [peer for peer in by_name if fact in peer.facts]
    others = [peer.tag for peer in by_name if fact not in peer.facts]
    nearest = _around([peer.tag for peer in sorted(stating, key=lambda p: p.facts[fact])], tag)
    return [*nearest, *others][:NEIGHBOURS]


def _around(ordered: Sequence[str], tag: str) -> list[str]:
    """Return up to four tags around one of them, as many before as after it if possible."""
    others = [text for text in ordered if text != tag]
    place = ordered.index(tag) if tag in ordered else 0
    start = max(0, min(place - NEIGHBOURS // 2, len(others) - NEIGHBOURS))
    return others[start : start + NEIGHBOURS]
