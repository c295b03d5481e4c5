"""Relates a version to other tags and to people: what its page says beside its own contents."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.search.attributes import Facts
from registry.models import Version
from registry.services.core.memory_cache import cache
from registry.services.event_log.appending import last_event_number
from registry.services.tags.credits import Credits, find_credits, find_predecessors
from registry.services.tags.peers import Peers, find_peers
from registry.services.tags.variants import VariantTag, list_variants


@dataclass(frozen=True, slots=True)
class Relations:
    """The tags and people that a version is related to."""

    variants: tuple[VariantTag, ...]
    peers: Peers
    credits: Credits
    predecessors: tuple[str, ...]


def find_relations(version: Version, facts: Facts, category: str) -> Relations:
    """Return the tags and people that a version is related to, by its facts and category.

    One query; at most nine after a write, because the cache key has the number of the last event.
    """
    key = (__name__, version.pk, last_event_number())
    return cache.get_or_compute(
        key,
        lambda: Relations(
            list_variants(version.tag),
            find_peers(version, facts, category),
            find_credits(version.tag),
            find_predecessors(version.tag),
        ),
    )
