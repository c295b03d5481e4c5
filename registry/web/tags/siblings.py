"""The tags that somebody may mean instead: forms of the product, longer names, near machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from registry.domain.descriptions.product_forms import MEMORY, by_memory, forms
from registry.domain.document import Json
from registry.domain.kinds.hardware import hardware_of
from registry.domain.kinds.kinds import HARDWARE
from registry.domain.search.attributes import attributes, searchable_attributes
from registry.domain.search.comparable_facts import COMPARABLE_FACTS
from registry.domain.search.peers import Peer, fact_ranges, neighbours
from registry.services.tags.peers import POINTERS
from registry.services.tags.relations import Relations
from registry.web.core.units import fact_text

MAX_LONGER_NAMES = 6  # beside four neighbours


@dataclass(frozen=True, slots=True)
class Siblings:
    """A tag and its siblings, with the facts in which they differ.

    `rows` begin with the tag itself. `longer_count` is the number of longer names that are left
    out, `compare_url` the comparison with the nearest machines, or "".
    """

    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    longer_count: int
    compare_url: str


def siblings(tag: str, target: Json, relations: Relations) -> Siblings | None:
    """Return the tags that somebody may mean instead; None if there are none."""
    peers = {peer.tag: peer for peer in (*relations.peers.tags, *relations.longer_names)}
    own = peers.get(tag) or Peer(tag, _facts(target))
    longer = [peer.tag for peer in relations.longer_names]
    near = [text for text in neighbours(relations.peers.tags, tag) if not _is_variant(text, tag)]
    tags = dict.fromkeys((*longer[:MAX_LONGER_NAMES], *near))
    if not tags:
        return None
    compared = [own, *(peers[other] for other in tags if other != tag)]
    ranges = fact_ranges(compared)
    columns = [name for name, range in ranges.items() if range.smallest < range.largest]
    return Siblings(
        [COMPARABLE_FACTS[name].title for name in columns],
        [(peer.tag, [_cell(name, peer) for name in columns]) for peer in compared],
        len(longer[MAX_LONGER_NAMES:]),
        reverse("compare", query=[("tag", text) for text in (tag, *near)]) if near else "",
    )


def product_forms(
    names: Sequence[str], target: Json, relations: Relations
) -> list[tuple[str, list[str]]]:
    """Return the sizes of memory in which a product is sold, with the tags of each size.

    Empty if the tag states its memory: then it is one of them.
    """
    if MEMORY in _facts(target):
        return []
    fact = COMPARABLE_FACTS[MEMORY]
    sizes = by_memory(forms(names, relations.longer_names))
    return [(fact_text(fact, size), tags) for size, tags in sizes]


def _is_variant(tag: str, other: str) -> bool:
    """Return whether two tags have one name: the table of variants tells them apart."""
    return tag.partition(":")[0] == other.partition(":")[0]


def _facts(target: Json) -> dict[str, float]:
    """Return the comparable facts of a target by name, as the search index has them."""
    values = searchable_attributes(attributes({HARDWARE: {**hardware_of(target)}}))
    return {
        POINTERS[value.pointer]: value.number
        for value in values
        if value.pointer in POINTERS and value.number is not None
    }


def _cell(name: str, peer: Peer) -> str:
    return fact_text(COMPARABLE_FACTS[name], peer.facts.get(name))
