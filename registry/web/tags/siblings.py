"""The tags that somebody may mean instead: forms of the product, longer names, near machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from registry.domain.descriptions.product_forms import MEMORY, by_memory, forms
from registry.domain.document import Json
from registry.domain.kinds.hardware import hardware_of
from registry.domain.kinds.kinds import HARDWARE
from registry.domain.search.attributes import attributes, searchable_attributes, target_facts
from registry.domain.search.comparable_facts import COMPARABLE_FACTS
from registry.domain.search.peers import Peer, neighbours
from registry.services.tags.peers import POINTERS
from registry.services.tags.relations import Relations
from registry.services.tags.variants import VariantTag
from registry.web.core.units import fact_text

MAX_LONGER_NAMES = 6  # beside four neighbours


def siblings(tag: str, target: Json, relations: Relations) -> dict[str, Any] | None:
    """Return the tags that somebody may mean instead; None if there are none.

    The rows begin with the tag itself, and have the facts in which the tags differ.
    """
    peers = {peer.tag: peer for peer in (*relations.peers.tags, *relations.longer_names.rows)}
    longer = [peer.tag for peer in relations.longer_names.rows if peer.tag != tag]  # of its aliases
    near = [text for text in neighbours(relations.peers.tags, tag) if not _is_variant(text, tag)]
    tags = dict.fromkeys((*longer[:MAX_LONGER_NAMES], *near))
    if not tags:
        return None
    facts = target_facts(target)
    own = Peer(tag, _facts(target), facts.arch, facts.family)
    compared = [own, *(peers[other] for other in tags)]
    columns = differing(_columns(compared))
    nearest = [("tag", text) for text in (tag, *near)]
    return {
        "columns": [*columns],
        "rows": [
            (peer.tag, [cells[index] for cells in columns.values()])
            for index, peer in enumerate(compared)
        ],
        "longer_count": len(longer[MAX_LONGER_NAMES:]),  # left out
        "is_capped": relations.longer_names.next_key is not None,
        "compare_url": reverse("compare", query=nearest) if near else "",
    }


def _columns(peers: Sequence[Peer]) -> dict[str, list[str]]:
    """Return what tags state, by the title of a column."""
    facts = {
        fact.title: [fact_text(fact, peer.facts.get(name)) for peer in peers]
        for name, fact in COMPARABLE_FACTS.items()
    }
    return {
        "Architecture": [peer.arch for peer in peers],
        "Family": [peer.family for peer in peers],
        **facts,
    }


def variant_columns(variants: Sequence[VariantTag]) -> dict[str, list[str]]:
    """Return what the variants of a name state differently, by the title of a column."""
    return differing(
        {
            "Kind": [variant.kind or "mixin" for variant in variants],
            "Architecture": [variant.arch for variant in variants],
            "Processor": [variant.processor for variant in variants],
            "Executor": [variant.executor or "none" for variant in variants],
        }
    )


def differing(columns: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the columns with more than one text; an empty one is unknown and no difference."""
    return {title: cells for title, cells in columns.items() if len({*filter(None, cells)}) > 1}


def product_forms(
    names: Sequence[str], target: Json, relations: Relations
) -> list[tuple[str, list[str]]]:
    """Return the sizes of memory in which a product is sold, with the tags of each size.

    Empty if the tag states its memory: then it is one of them.
    """
    if MEMORY in _facts(target):
        return []
    fact = COMPARABLE_FACTS[MEMORY]
    sizes = by_memory(forms(names, relations.longer_names.rows))
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
