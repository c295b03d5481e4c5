"""Relates a version to other tags and to people: what its page says beside its own contents."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.document import Json
from registry.domain.search.attributes import Facts
from registry.domain.search.peers import Peer
from registry.models import Version
from registry.services.core.memory_cache import cache
from registry.services.core.paging import Page
from registry.services.event_log.appending import last_event_number
from registry.services.tags.credits import Credits, find_credits, find_predecessors
from registry.services.tags.detail import TagOverview
from registry.services.tags.longer_names import list_longer_names
from registry.services.tags.peers import Peers, find_peers
from registry.services.tags.variants import VariantTag, list_variants, machine_of


@dataclass(frozen=True, slots=True)
class Relations:
    """The tags and people that a version is related to."""

    machine: Json  # of a variant: the target of its name
    variants: Page[VariantTag]
    longer_names: Page[Peer]
    peers: Peers
    credits: Credits
    predecessors: Page[str]


def find_relations(
    overview: TagOverview, version: Version, facts: Facts, category: str
) -> Relations:
    """Return the tags and people that a version is related to, by its facts and category.

    One query; at most eight after a write, because the cache key has the number of the last event.
    """
    key = (__name__, version.pk, last_event_number())
    return cache.get_or_compute(key, lambda: _read(overview, version, facts, category))


def _read(overview: TagOverview, version: Version, facts: Facts, category: str) -> Relations:
    tag = version.tag
    has_longer_names = not (tag.is_family or ":" in tag.text)
    return Relations(
        machine=machine_of(tag),
        variants=list_variants(tag),
        longer_names=list_longer_names(own_names(overview)) if has_longer_names else Page((), None),
        peers=find_peers(version, facts, category),
        credits=find_credits(tag, overview.versions),
        predecessors=find_predecessors(tag),
    )


def own_names(overview: TagOverview) -> tuple[str, ...]:
    """Return the names of a tag itself: its own and its aliases in the same namespace."""
    folder = f"{overview.tag.text.partition('/')[0]}/"
    return (overview.tag.text, *(text for text in overview.aliases if text.startswith(folder)))
