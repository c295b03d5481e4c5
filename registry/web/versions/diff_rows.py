"""The differences of two versions as rows: values by node, and tuning keys."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from registry.domain.diff import Change, ComparedKeys
from registry.domain.document import Json
from registry.domain.kinds import HARDWARE, Kinds
from registry.domain.provenance_tree import Leaf
from registry.services.versions.comparing import Comparison
from registry.services.versions.drafting import Draft
from registry.web.versions.node_index import NodeIndex
from registry.web.versions.values import shorten

MAX_CHANGES = 80  # rows, some 700 bytes each; the API has all of them
MINUS = "\N{MINUS SIGN}"
SIGNS = {"added": "+", "removed": MINUS, "changed": "≠"}  # colour is not the only cue


@dataclass(frozen=True, slots=True)
class DiffValue:
    """One side of a change; `origin` is empty if the compared version set the value itself."""

    text: str
    human: str
    origin: str


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One change; `word` is added, removed or changed."""

    word: str
    sign: str
    pointer: str
    option: str  # the pointer inside its node
    old: DiffValue | None
    new: DiffValue | None
    consumers: str
    affects_tuning: bool


@dataclass(frozen=True, slots=True)
class DiffGroup:
    """The changes of one node, with its kinds before and after; empty if it is absent."""

    pointer: str
    old_kind: str
    new_kind: str
    rows: tuple[DiffRow, ...]


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A tuning key that was lost, new or kept, with its leaves on either side."""

    word: str
    sign: str
    key: str
    count: int
    old: tuple[str, ...]
    new: tuple[str, ...]


def counts(changes: Sequence[Change]) -> list[tuple[int, str, str]]:
    """Return how many values were added, removed and changed, each with its sign."""
    numbers = Counter(map(change_word, changes))
    return [(numbers[word], word, sign) for word, sign in SIGNS.items() if numbers[word]]


def change_word(change: Change) -> str:
    """Return whether a value was added, removed or changed."""
    if change.old is None:
        return "added"
    return "removed" if change.new is None else "changed"


@dataclass(frozen=True, slots=True)
class Sides:
    """Two targets with their exact references and differences.

    The reference of an unpublished target is empty.
    """

    old: Json
    new: Json
    kinds: Kinds
    changes: Sequence[Change]
    old_exact: str = ""
    new_exact: str = ""


def diff_groups(comparison: Comparison) -> list[DiffGroup]:
    """Return the first changes by node, enclosing nodes first."""
    return group_changes(
        Sides(
            comparison.old_target,
            comparison.new_target,
            comparison.kinds,
            comparison.changes,
            comparison.old.exact,
            comparison.new.exact,
        )
    )


def draft_diff_groups(draft: Draft, base: str) -> list[DiffGroup]:
    """Return the first changes of a draft from `base`, an exact reference."""
    old = draft.base.edition.target if draft.base else {}
    return group_changes(Sides(old, draft.resolution.target, draft.current.kinds, draft.diff, base))


def group_changes(sides: Sides) -> list[DiffGroup]:
    """Return the first changes by node, for any two targets."""
    before = NodeIndex(sides.old, sides.kinds)
    after = NodeIndex(sides.new, sides.kinds)

    def node_of(change: Change) -> str:
        return max(before.node_of(change.pointer), after.node_of(change.pointer), key=len)

    def side(leaf: Leaf | None, index: NodeIndex, exact: str, pointer: str) -> DiffValue | None:
        if leaf is None:
            return None
        text = shorten(json.dumps(leaf.value, ensure_ascii=False))
        origin = leaf.origin if leaf.origin != exact else None
        return DiffValue(text, index.human(pointer, leaf.value), origin or "")

    def row(change: Change, node: str) -> DiffRow:
        word, pointer = change_word(change), change.pointer
        return DiffRow(
            word,
            SIGNS[word],
            pointer,
            pointer.removeprefix(node),
            side(change.old, before, sides.old_exact, pointer),
            side(change.new, after, sides.new_exact, pointer),
            ", ".join(change.consumers),
            change.affects_tuning,
        )

    changes = [(node_of(change), change) for change in sides.changes]
    order = {node: index for index, node in enumerate(dict.fromkeys((*before.kinds, *after.kinds)))}
    changes.sort(key=lambda pair: (order.get(pair[0], -1), _rank(pair[1].pointer[len(pair[0]) :])))
    return [
        DiffGroup(
            node,
            before.kinds.get(node, ""),
            after.kinds.get(node, ""),
            tuple(row(change, node) for _, change in inside),
        )
        for node, inside in groupby(changes[:MAX_CHANGES], key=lambda pair: pair[0])
    ]


def _rank(option: str) -> int:
    """Return the sort rank of an option: the kind first, hardware facts last."""
    return 0 if option == "/kind" else 2 if option.startswith(f"/{HARDWARE}/") else 1


def key_rows(keys: ComparedKeys) -> Iterator[KeyRow]:
    """Yield a row for each tuning key, lost ones first."""
    for word, sign, group in (
        ("lost", MINUS, keys.lost),
        ("new", "+", keys.new),
        ("kept", "=", keys.kept),
    ):
        for key in group:
            yield KeyRow(word, sign, key.key, key.count, key.old, key.new)
