"""The tags whose newest versions would float to another version of a tag, near or far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from registry.services.versions import dependencies

CHUNK_SIZE = 1000  # tags asked about in one query


@dataclass(frozen=True, slots=True)
class Downstream:
    """Tags that are made from some roots through floating references of newest versions.

    `uses` holds for each, by primary key, which of the others and of the roots it is made from.
    `levels` orders them, so that each follows all that it is made from; `circular` are those that
    no order can hold, since they lead back to themselves or follow from such.
    """

    uses: Mapping[int, frozenset[int]]
    levels: tuple[tuple[int, ...], ...]
    circular: frozenset[int] = field(default_factory=frozenset)

    def __len__(self) -> int:
        return len(self.uses)

    @property
    def last_use(self) -> dict[int, int]:
        """For each tag that others are made from, the last level at which one is."""
        found: dict[int, int] = {}
        for level, tags in enumerate(self.levels):
            found |= {used: level for tag in tags for used in self.uses[tag]}
        return found


def find_downstream(roots: Collection[int], among: Collection[int] | None = None) -> Downstream:
    """Follow floating references from some tags down, perhaps among some tags only.

    One query for each level, and for each thousand tags of one.
    """
    uses: dict[int, set[int]] = defaultdict(set)
    seen, ahead = set(roots), list(roots)
    while ahead:
        found = {
            (use.source, use.tag)
            for chunk in chunks(ahead)
            for use in dependencies.floating_uses(chunk)
            if use.source not in roots and (among is None or use.source in among)
        }
        for source, used in found:
            uses[source].add(used)
        ahead = sorted({source for source, _ in found} - seen)
        seen.update(ahead)
    return _ordered({tag: frozenset(used) for tag, used in uses.items()}, set(roots))


def dependency_order(tags: Collection[int]) -> Downstream:
    """Some tags by themselves, each after those of them that it is made from.

    One query for each thousand.
    """
    uses: dict[int, set[int]] = {tag: set() for tag in tags}
    for chunk in chunks(tags):
        for use in dependencies.floating_uses(chunk):
            if use.source in uses:
                uses[use.source].add(use.tag)
    return _ordered({tag: frozenset(used) for tag, used in uses.items()}, set())


def chunks(tags: Collection[int], size: int = CHUNK_SIZE) -> Iterator[list[int]]:
    """Tags, so many at a time."""
    ordered = list(tags)
    for at in range(0, len(ordered), size):
        yield ordered[at : at + size]


def _ordered(uses: dict[int, frozenset[int]], roots: set[int]) -> Downstream:
    """Level by level; what is left when no level can be found anymore is circular."""
    waiting = {tag: len(used - roots) for tag, used in uses.items()}
    users: dict[int, list[int]] = defaultdict(list)
    for tag, used in uses.items():
        for other in used:
            users[other].append(tag)
    levels = []
    ready = sorted(tag for tag, count in waiting.items() if not count)
    while ready:
        levels.append(tuple(ready))
        following = []
        for tag in ready:
            for user in users[tag]:
                waiting[user] -= 1
                if not waiting[user]:
                    following.append(user)
        ready = sorted(following)
    placed = {tag for level in levels for tag in level}
    return Downstream(uses, tuple(levels), frozenset(uses.keys() - placed))
