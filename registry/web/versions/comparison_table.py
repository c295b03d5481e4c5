"""Targets as columns of a table: their values in rows, grouped by node and topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import NamedTuple

from registry.domain.document import Json, is_same_json
from registry.domain.kinds.kinds import COMPONENTS, FLOW, HARDWARE, Kinds
from registry.domain.kinds.option_lookup import OptionLookup
from registry.domain.resolution.provenance_tree import Leaf
from registry.web.versions.summary import summary
from registry.web.versions.values import TargetValue, TargetValues
from ttag_rules.pointer import natural_key, split_pointer

MAX_CELLS = 400  # some 120 bytes each
MAX_UNSHARED = 20  # rows of nodes that only one target has

IDENTITY, CODE, TUNING, RUNTIME, PASSES, FACTS = (
    "Identity",
    "Code generation",
    "Tuning limits",
    "Executor and runtime",
    "Pass settings",
    "Hardware facts",
)
TITLES = (IDENTITY, CODE, TUNING, RUNTIME, PASSES, FACTS)
IDENTITY_OPTIONS = ("kind", "model", "device", "keys")  # first, in this order
TITLE_OF_PART = {  # by the first token of an option's pointer
    HARDWARE: FACTS,
    FLOW: PASSES,
    **dict.fromkeys(COMPONENTS, RUNTIME),
    **dict.fromkeys(IDENTITY_OPTIONS, IDENTITY),
}
TITLE_OF_CONSUMER = {
    "tuning": TUNING,
    "codegen": CODE,
    "graph-executor": RUNTIME,
    "runtime": RUNTIME,
}
SOURCES = [HARDWARE, "sources"]  # the sources of the facts are not compared
SHORT_KEY = slice(4, 16)  # of a tuning key: enough digits to distinguish two


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One attribute; the value of a target that does not set it is None.

    `bars` are the shares of the largest in percent, None where there is nothing to compare.
    """

    label: str
    is_option: bool  # whether `label` is the name of an option
    values: Sequence[TargetValue | None]
    differs: bool
    bars: Sequence[int | None] = ()

    @property
    def is_number(self) -> bool:
        """Return whether one of the values is a number."""
        return any(value.is_number for value in self.values if value)

    @property
    def cells(self) -> Iterator[tuple[TargetValue | None, int | None]]:
        """Yield each value with its bar."""
        return zip_longest(self.values, self.bars)


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """Rows by node and by topic, and one row for each node that only one target has.

    `sections` are the pointers of nodes with their groups, each a title with its rows. `count` and
    `differing` count all rows, shown or not.
    """

    sections: list[tuple[str, list[tuple[str, list[ComparedRow]]]]]
    unshared: list[ComparedRow]
    count: int
    differing: int
    shown_count: int


class _Place(NamedTuple):
    """Return the sort key of a row; of a large target most rows are counted, not built.

    `pointer` is that of the values; empty in the row of tuning keys.
    """

    node: int
    title: int
    rank: int
    name: str
    pointer: str
    differs: bool


def comparison_table(
    targets: Sequence[Json],
    keys: Sequence[Mapping[str, str]],
    kinds: Kinds,
    *,
    only_differences: bool = False,
) -> ComparisonTable:
    """Compare targets: their roots, and the nodes at pointers that two or more of them have.

    `keys` are the tuning keys of each target's leaves.
    """
    columns = [TargetValues(target, kinds) for target in targets]
    counts = Counter(pointer for column in columns for pointer in column.nodes)
    shared = [pointer for pointer, count in counts.items() if count >= min(2, len(columns))]
    order = {pointer: number for number, pointer in enumerate(shared)}
    places = [*_key_places(keys, shared), *_value_places(targets, columns, order, kinds)]
    kept = sorted(place for place in places if place.differs or not only_differences)
    kept = kept[: MAX_CELLS // max(1, len(columns))]
    unshared = _outermost([pointer for pointer in counts if pointer not in order])

    def row(place: _Place) -> ComparedRow:
        if not place.pointer:
            return _key_row([column.get(shared[place.node]) for column in keys], place.differs)
        return _row(place, columns)

    sections = [
        (
            shared[node],
            [
                (TITLES[title], [row(place) for place in of_title])
                for title, of_title in groupby(of_node, key=lambda place: place.title)
            ],
        )
        for node, of_node in groupby(kept, key=lambda place: place.node)
    ]
    unshared_rows = [_unshared_row(pointer, columns) for pointer in unshared[:MAX_UNSHARED]]
    return ComparisonTable(
        sections,
        unshared_rows,
        count=len(places) + len(unshared),
        differing=sum(place.differs for place in places) + len(unshared),
        shown_count=len(kept) + len(unshared_rows),
    )


def _value_places(
    targets: Sequence[Json],
    columns: Sequence[TargetValues],
    order: Mapping[str, int],
    kinds: Kinds,
) -> Iterator[_Place]:
    """Yield a place for each value of the shared nodes, whose `order` this is."""
    lookups = [OptionLookup(target, kinds) for target in targets]
    facts = list(kinds[HARDWARE].schema["properties"])
    for pointer in dict.fromkeys(pointer for column in columns for pointer in column.leaves):
        first = next(number for number, column in enumerate(columns) if pointer in column.leaves)
        node = columns[first].node_of(pointer)
        path = split_pointer(pointer[len(node) :])
        if node in order and path[:2] != SOURCES:
            options = lookups[first].options_at(pointer)
            title = _title(path, {name for option in options for name in option.consumers})
            differs = not _are_equal([column.leaves.get(pointer) for column in columns])
            rank, name = _rank(path, facts), natural_key(pointer)
            yield _Place(order[node], TITLES.index(title), rank, name, pointer, differs)


def _are_equal(leaves: Sequence[Leaf | None]) -> bool:
    first, *others = leaves
    return first is not None and all(
        other is not None and is_same_json(first.value, other.value) for other in others
    )


def _rank(path: Sequence[str], facts: Sequence[str]) -> int:
    """Return the sort rank: the identity first, then by name; facts as in their schema."""
    if path[0] == HARDWARE:
        return facts.index(path[1]) if path[1:] and path[1] in facts else len(facts)
    if path[0] in IDENTITY_OPTIONS:
        return IDENTITY_OPTIONS.index(path[0])
    return len(IDENTITY_OPTIONS)


def _title(path: Sequence[str], consumers: Collection[str]) -> str:
    if path[0] in TITLE_OF_PART:
        return TITLE_OF_PART[path[0]]
    titles = (title for name, title in TITLE_OF_CONSUMER.items() if name in consumers)
    return next(titles, IDENTITY)


def _row(place: _Place, columns: Sequence[TargetValues]) -> ComparedRow:
    """Return the row of a value, with bars scaled to the largest if two quantities differ."""
    leaves = [column.leaves.get(place.pointer) for column in columns]
    values = [
        column.value(place.pointer, leaf) if leaf else None
        for column, leaf in zip(columns, leaves, strict=True)
    ]
    quantities = [value.quantity if value else None for value in values]
    numbers = [number for number in quantities if number is not None]
    scale = max(numbers) if place.differs and len(set(numbers)) > 1 and min(numbers) >= 0 else 0
    bars = [
        round(100 * number / scale) if number is not None and scale else None
        for number in quantities
    ]
    first = next(filter(None, values))
    return ComparedRow(first.label, not first.is_fact, values, place.differs, bars)


def _key_places(keys: Sequence[Mapping[str, str]], shared: Sequence[str]) -> Iterator[_Place]:
    """Yield the places of tuning keys: equal keys mean that records are legal for both."""
    for number, node in enumerate(shared):
        compared = [column.get(node) for column in keys]
        if any(compared):
            yield _Place(number, TITLES.index(TUNING), -1, "", "", len(set(compared)) > 1)


def _key_row(keys: Sequence[str | None], differs: bool) -> ComparedRow:
    return ComparedRow(
        "Tuning key", False, [_text(key and key[SHORT_KEY]) for key in keys], differs
    )


def _text(text: str | None) -> TargetValue | None:
    return TargetValue("", "", text) if text else None


def _outermost(pointers: Sequence[str]) -> list[str]:
    """Return the pointers of nodes, without those inside another of these nodes."""
    known = set(pointers)

    def enclosing(pointer: str) -> Iterator[str]:
        while pointer := pointer.rpartition("/")[0]:
            yield pointer

    return [pointer for pointer in pointers if known.isdisjoint(enclosing(pointer))]


def _unshared_row(pointer: str, columns: Sequence[TargetValues]) -> ComparedRow:
    """Return the row of a node that only one target has; its values are not compared."""
    inside = [column.nodes.get(pointer) for column in columns]
    values = [_text(summary(node.value)) if node else None for node in inside]
    return ComparedRow(pointer, True, values, True)
