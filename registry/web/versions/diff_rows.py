"""The differences of two versions as rows: values by node, and tuning keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from registry.domain.diff import Change, ComparedKey, ComparedKeys
from registry.domain.kinds.kinds import HARDWARE
from registry.services.versions.comparing import Comparison
from registry.services.versions.drafting import Draft
from registry.web.core.template_filters import SIGNS
from registry.web.versions.values import TargetValue, TargetValues

MAX_CHANGES = 80  # rows, some 700 bytes each; the API has all of them


@dataclass(frozen=True, slots=True)
class Difference:
    """A change of a node with the values of both sides; None on the side that lacks it."""

    change: Change
    node: str
    old: TargetValue | None
    new: TargetValue | None

    @property
    def option(self) -> str:
        """Return the pointer inside the node."""
        return self.change.pointer.removeprefix(self.node)


@dataclass(frozen=True, slots=True)
class DiffGroup:
    """The changes of one node, with its kinds before and after; empty if it is absent."""

    pointer: str
    old_kind: str
    new_kind: str
    rows: tuple[Difference, ...]


def _counts(changes: Sequence[Change]) -> list[tuple[int, str, str]]:
    """Return how many values were added, removed and changed, each with its sign."""
    numbers = Counter(change.word for change in changes)
    return [(numbers[word], word, sign) for word, sign in SIGNS.items() if numbers[word]]


def comparison_changes(comparison: Comparison) -> dict[str, Any]:
    """Return the context of `changes_context` for two versions."""
    kinds, old, new = comparison.kinds, comparison.old.exact, comparison.new.exact
    before = TargetValues(comparison.old_target, kinds, own=old)
    after = TargetValues(comparison.new_target, kinds, own=new)
    return changes_context(before, after, comparison.changes)


def draft_changes(draft: Draft) -> dict[str, Any]:
    """Return the context of `changes_context` for a draft and its base."""
    old, kinds = draft.base.edition.target if draft.base else {}, draft.current.kinds
    before = TargetValues(old, kinds, own=draft.base_exact)
    return changes_context(before, TargetValues(draft.resolution.target, kinds), draft.diff)


def changes_context(
    before: TargetValues, after: TargetValues, changes: Sequence[Change]
) -> dict[str, Any]:
    """Return the context of `registry/diff/changes.html` for the changes between two targets."""
    return {
        "groups": _group_changes(before, after, changes) if changes else [],
        "counts": _counts(changes),
        "change_count": len(changes),
        "max_changes": MAX_CHANGES,
    }


def _group_changes(
    before: TargetValues, after: TargetValues, changes: Sequence[Change]
) -> list[DiffGroup]:
    """Return the first changes by node, enclosing nodes first."""

    def node_of(change: Change) -> str:
        return max(before.node_of(change.pointer), after.node_of(change.pointer), key=len)

    def difference(change: Change, node: str) -> Difference:
        pointer, old, new = change.pointer, change.old, change.new
        return Difference(
            change,
            node,
            before.value(pointer, old) if old else None,
            after.value(pointer, new) if new else None,
        )

    placed = [(node_of(change), change) for change in changes]
    order = {node: index for index, node in enumerate(dict.fromkeys((*before.nodes, *after.nodes)))}
    placed.sort(key=lambda pair: (order.get(pair[0], -1), _rank(pair[1].pointer[len(pair[0]) :])))
    return [
        DiffGroup(
            node,
            before.kind_of(node),
            after.kind_of(node),
            tuple(difference(change, node) for _, change in inside),
        )
        for node, inside in groupby(placed[:MAX_CHANGES], key=lambda pair: pair[0])
    ]


def _rank(option: str) -> int:
    """Return the sort rank of an option: the kind first, hardware facts last."""
    return 0 if option == "/kind" else 2 if option.startswith(f"/{HARDWARE}/") else 1


def key_rows(keys: ComparedKeys) -> Iterator[tuple[str, str, ComparedKey]]:
    """Yield each tuning key with a word and its sign, lost ones first."""
    for word, sign, group in (
        ("lost", SIGNS["removed"], keys.lost),
        ("new", "+", keys.new),
        ("kept", "=", keys.kept),
    ):
        yield from ((word, sign, key) for key in group)
