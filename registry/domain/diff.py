"""What differs between two targets, leaf by leaf, and what became of their tuning keys."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from registry.domain.document import Json, same
from registry.domain.kinds import Kinds, Option
from registry.domain.pointer import natural
from registry.domain.tree import Leaf, Origin, leaves, read


@dataclass(frozen=True, slots=True)
class Change:
    """One leaf that is not the same on both sides; a side without it is None.

    `consumers` are the compiler components that read it, on either side.
    """

    pointer: str
    old: Leaf | None
    new: Leaf | None
    consumers: tuple[str, ...]
    affects_tuning: bool


def changes(
    old: Json,
    new: Json,
    kinds: Kinds,
    *,
    old_provenance: Mapping[str, Origin] | None = None,
    new_provenance: Mapping[str, Origin] | None = None,
    root_kinds: Collection[str] = (),
) -> tuple[Change, ...]:
    """Compare two resolved targets or mixins; in natural order of the pointers.

    `root_kinds` are those that mixins can be applied to.
    """
    before = dict(leaves(read(old, (old_provenance or {}).get)))
    after = dict(leaves(read(new, (new_provenance or {}).get)))

    def options(pointer: str) -> Iterator[Option]:
        for document, side in ((old, before), (new, after)):
            if pointer in side:
                yield from kinds.options_at(document, pointer, root_kinds)

    found = []
    for pointer in sorted(before.keys() | after.keys(), key=natural):
        left, right = before.get(pointer), after.get(pointer)
        if not _equal(left, right):
            known = list(options(pointer))
            consumers = sorted({name for option in known for name in option.consumers})
            affects = any(option.affects_tuning for option in known)
            found.append(Change(pointer, left, right, tuple(consumers), affects))
    return tuple(found)


def _equal(old: Leaf | None, new: Leaf | None) -> bool:
    return old is not None and new is not None and same(old.value, new.value)


@dataclass(frozen=True, slots=True)
class Key:
    """One tuning key, how often it is meant, and the leaves that have it on either side."""

    key: str
    count: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Keys:
    """What became of tuning keys. Keys are counted: of three that are equal, one can be lost."""

    kept: tuple[Key, ...]
    lost: tuple[Key, ...]
    new: tuple[Key, ...]


def compared_keys(old: Mapping[str, str], new: Mapping[str, str]) -> Keys:
    """Compare two targets' tuning keys, each by the leaf's pointer; in order of the pointers."""
    before, after = Counter(old.values()), Counter(new.values())
    places = (_places(old), _places(new))

    def shown(counts: Counter[str]) -> tuple[Key, ...]:
        found = [
            Key(key, count, *(tuple(side.get(key, ())) for side in places))
            for key, count in counts.items()
        ]
        return tuple(sorted(found, key=lambda key: natural((key.old or key.new)[0])))

    return Keys(kept=shown(before & after), lost=shown(before - after), new=shown(after - before))


def _places(keys: Mapping[str, str]) -> dict[str, list[str]]:
    """The leaves of each key, in natural order."""
    found: dict[str, list[str]] = defaultdict(list)
    for pointer in sorted(keys, key=natural):
        found[keys[pointer]].append(pointer)
    return found
