"""Finds the tags whose newest versions depend on a tag through floating references."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from registry.services.versions import dependencies

CHUNK_SIZE = 1000  # tags in one query


@dataclass(frozen=True, slots=True)
class Downstream:
    """The tags that depend on some roots through floating references of newest versions.

    `uses` maps each tag to the other tags and roots that it uses directly, by primary key. `levels`
    sorts the tags topologically; `circular` holds those that cannot be sorted, because they are in
    a cycle or depend on one.
    """

    uses: Mapping[int, frozenset[int]]
    levels: tuple[tuple[int, ...], ...]
    circular: frozenset[int] = field(default_factory=frozenset)

    def __len__(self) -> int:
        return len(self.uses)

    @property
    def last_use(self) -> dict[int, int]:
        """Return the last level that uses a tag, by the primary key of the tag."""
        last: dict[int, int] = {}
        for level, tags in enumerate(self.levels):
            last |= {used: level for tag in tags for used in self.uses[tag]}
        return last


def find_downstream(roots: Collection[int], among: Collection[int] | None = None) -> Downstream:
    """Return all tags that depend on the roots, or only those that are in `among`.

    Takes one query for each thousand tags of a level.
    """
    uses: dict[int, set[int]] = defaultdict(set)
    seen, level = set(roots), list(roots)
    while level:
        edges = {
            (use.source, use.tag)
            for chunk in chunks(level)
            for use in dependencies.floating_uses(chunk)
            if use.source not in roots and (among is None or use.source in among)
        }
        for source, used in edges:
            uses[source].add(used)
        level = sorted({source for source, _ in edges} - seen)
        seen.update(level)
    return _sorted({tag: frozenset(used) for tag, used in uses.items()}, set(roots))


def dependency_order(tags: Collection[int]) -> Downstream:
    """Sort some tags so that each follows those of them that it depends on.

    Takes one query for each thousand tags.
    """
    uses: dict[int, set[int]] = {tag: set() for tag in tags}
    for chunk in chunks(tags):
        for use in dependencies.floating_uses(chunk):
            if use.source in uses:
                uses[use.source].add(use.tag)
    return _sorted({tag: frozenset(used) for tag, used in uses.items()}, set())


def chunks(tags: Collection[int], size: int = CHUNK_SIZE) -> Iterator[list[int]]:
    """Split tags into lists of at most `size`."""
    pks = list(tags)
    for start in range(0, len(pks), size):
        yield pks[start : start + size]


def _sorted(uses: dict[int, frozenset[int]], roots: set[int]) -> Downstream:
    """Sort tags into levels (Kahn's algorithm); tags that remain are circular."""
    waiting = {tag: len(used - roots) for tag, used in uses.items()}
    users: dict[int, list[int]] = defaultdict(list)
    for tag, used in uses.items():
        for other in used:
            users[other].append(tag)
    levels = []
    ready = sorted(tag for tag, count in waiting.items() if not count)
    while ready:
        levels.append(tuple(ready))
        next_level = []
        for tag in ready:
            for user in users[tag]:
                waiting[user] -= 1
                if not waiting[user]:
                    next_level.append(user)
        ready = sorted(next_level)
    placed = {tag for level in levels for tag in level}
    return Downstream(uses, tuple(levels), frozenset(uses.keys() - placed))
