"""Tells the forms in which a product is sold from other products whose names begin like its own."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from registry.domain.search.peers import Peer, sort_peers

MEMORY = "memory"
# Words for the size of the memory, its type, and how a card is plugged in.
FORM = re.compile(r"[0-9]+gb|g?ddr[0-9]x?|hbm[0-9]?e?|sxm[0-9]?|pcie|nvl|oam|dgxs|fhhl")


def forms(names: Sequence[str], peers: Iterable[Peer]) -> list[Peer]:
    """Return the tags that add to one of some names only words for a form: `-sxm4-80gb`."""
    return [peer for peer in peers if any(_is_form(name, peer.tag) for name in names)]


def _is_form(name: str, tag: str) -> bool:
    start, rest = f"{name}-", tag[len(name) + 1 :]
    return tag.startswith(start) and all(map(FORM.fullmatch, rest.split("-")))


# Decision 148: of the A100, most people have the one with 40 or the one with 80 GB.
def by_memory(peers: Iterable[Peer]) -> list[tuple[float, list[str]]]:
    """Return each size of memory with its tags: the size of most tags first, then the smallest.

    Tags that state no memory are left out.
    """
    sizes: dict[float, list[str]] = defaultdict(list)
    for peer in sort_peers([*peers]):
        if MEMORY in peer.facts:
            sizes[peer.facts[MEMORY]].append(peer.tag)
    return sorted(sizes.items(), key=lambda size: (-len(size[1]), size[0]))
