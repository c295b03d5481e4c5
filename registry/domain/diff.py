"""Compare two targets, leaf by leaf, and their tuning keys."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from registry.domain.checks.checks import mixin_kinds
from registry.domain.document import Json, is_same_json
from registry.domain.kinds.kinds import Kinds, Option
from registry.domain.kinds.option_lookup import OptionLookup
from registry.domain.resolution.composition import is_mixin
from registry.domain.resolution.provenance_tree import Leaf, Origin, read_tree, tree_leaves
from ttag_rules.pointer import natural_key


@dataclass(frozen=True, slots=True)
class Change:
    """A leaf that differs; a side that does not have it is None.

    `consumers` are the compiler components that read it on either side.
    """

    pointer: str
    old: Leaf | None
    new: Leaf | None
    consumers: tuple[str, ...]
    affects_tuning: bool

    @property
    def word(self) -> str:
        """Return whether the value was added, removed or changed."""
        if self.old is None:
            return "added"
        return "removed" if self.new is None else "changed"


def diff_targets(
    old: Json,
    new: Json,
    kinds: Kinds,
    *,
    old_provenance: Mapping[str, Origin] | None = None,
    new_provenance: Mapping[str, Origin] | None = None,
) -> tuple[Change, ...]:
    """Compare two resolved targets or mixins; the changes are in natural order of pointers.

    The options of two mixins are looked up in the kinds that either can be applied to.
    """
    roots: set[str] = set()
    if is_mixin(old) and is_mixin(new):
        roots = {*mixin_kinds(old, kinds), *mixin_kinds(new, kinds)}
    before = dict(tree_leaves(read_tree(old, (old_provenance or {}).get)))
    after = dict(tree_leaves(read_tree(new, (new_provenance or {}).get)))

    sides = [
        (side, OptionLookup(document, kinds, roots))
        for document, side in ((old, before), (new, after))
    ]

    def options(pointer: str) -> Iterator[Option]:
        for side, lookup in sides:
            if pointer in side:
                yield from lookup.options_at(pointer)

    differences = []
    for pointer in sorted(before.keys() | after.keys(), key=natural_key):
        left, right = before.get(pointer), after.get(pointer)
        if not _equal(left, right):
            affected = list(options(pointer))
            consumers = sorted({name for option in affected for name in option.consumers})
            affects = any(option.affects_tuning for option in affected)
            differences.append(Change(pointer, left, right, tuple(consumers), affects))
    return tuple(differences)


def _equal(old: Leaf | None, new: Leaf | None) -> bool:
    return old is not None and new is not None and is_same_json(old.value, new.value)


@dataclass(frozen=True, slots=True)
class ComparedKey:
    """A tuning key, its number of uses, and the pointers of its leaves on either side."""

    key: str
    count: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComparedKeys:
    """The tuning keys that were kept, lost and gained.

    Keys are counted: of three equal keys, one can be lost.
    """

    kept: tuple[ComparedKey, ...]
    lost: tuple[ComparedKey, ...]
    new: tuple[ComparedKey, ...]


def compare_keys(old: Mapping[str, str], new: Mapping[str, str]) -> ComparedKeys:
    """Compare the tuning keys of two targets, given by pointer, in order of pointers."""
    before, after = Counter(old.values()), Counter(new.values())
    leaves = (_leaves_by_key(old), _leaves_by_key(new))

    def select(counts: Counter[str]) -> tuple[ComparedKey, ...]:
        keys = [
            ComparedKey(key, count, *(tuple(side.get(key, ())) for side in leaves))
            for key, count in counts.items()
        ]
        return tuple(sorted(keys, key=lambda key: natural_key((key.old or key.new)[0])))

    return ComparedKeys(
        kept=select(before & after), lost=select(before - after), new=select(after - before)
    )


def _leaves_by_key(keys: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the pointers of each key's leaves, in natural order."""
    pointers: dict[str, list[str]] = defaultdict(list)
    for pointer in sorted(keys, key=natural_key):
        pointers[keys[pointer]].append(pointer)
    return pointers
