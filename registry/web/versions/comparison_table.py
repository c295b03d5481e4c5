"""Targets as columns of a table: their values in rows, grouped by node and topic."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from registry.domain.composition import nodes
from registry.domain.document import Json, is_same_json
from registry.domain.kinds import COMPONENTS, FLOW, HARDWARE, Kinds
from registry.domain.option_lookup import OptionLookup
from registry.domain.pointer import natural_key, split_pointer
from registry.domain.provenance_tree import Leaf, read_tree, tree_leaves
from registry.web.core.units import label
from registry.web.versions.node_index import NodeIndex
from registry.web.versions.summary import summary
from registry.web.versions.values import shorten

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
class Column:
    """A target to compare, with the tuning keys of its leaves."""

    target: Json
    keys: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """A value for people, and the raw value if that differs.

    `quantity` is the number if it has a unit; `bar` its share of the largest in the row in percent,
    None if the row has nothing to compare.
    """

    text: str
    raw: str = ""
    is_number: bool = False
    quantity: float | None = None
    bar: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One attribute; the cell of a target that does not set it is None."""

    label: str
    is_option: bool  # whether `label` is the name of an option
    cells: tuple[Cell | None, ...]
    differs: bool

    @property
    def is_number(self) -> bool:
        """Return whether one of the values is a number."""
        return any(cell.is_number for cell in self.cells if cell)


@dataclass(frozen=True, slots=True)
class Group:
    """Attributes of one node that share a topic."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class _PlacedRow:
    """A row with its node, its title, and its sort key within both.

    `row` builds it: of a large target most rows are counted, and not shown.
    """

    node: str
    title: str
    sort_key: tuple[int, str]
    differs: bool
    row: Callable[[], Row]


@dataclass(frozen=True, slots=True)
class Section:
    """The groups of one node."""

    pointer: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by node, and one row for each node that only one target has.

    `count` and `differing` count all rows, shown or not.
    """

    sections: tuple[Section, ...]
    unshared: tuple[Row, ...]
    count: int
    differing: int
    shown_count: int


def comparison_table(
    columns: Sequence[Column], kinds: Kinds, *, only_differences: bool = False
) -> Table:
    """Compare targets: their roots, and the nodes at pointers that two or more of them have."""
    indexes = [NodeIndex(column.target, kinds) for column in columns]
    counts = Counter(pointer for index in indexes for pointer in index.kinds)
    shared = [pointer for pointer, count in counts.items() if count >= min(2, len(columns))]
    order = {pointer: number for number, pointer in enumerate(shared)}
    placed_rows = [*_key_rows(columns, shared), *_value_rows(columns, indexes, order, kinds)]
    selected = [placed for placed in placed_rows if placed.differs or not only_differences]
    selected.sort(
        key=lambda placed: (order[placed.node], TITLES.index(placed.title), placed.sort_key)
    )
    kept = selected[: MAX_CELLS // len(columns)] if columns else []
    unshared = _outermost([pointer for pointer in counts if pointer not in order])
    unshared_rows = tuple(_unshared_rows(columns, unshared[:MAX_UNSHARED]))
    return Table(
        tuple(_sections(kept)),
        unshared_rows,
        count=len(placed_rows) + len(unshared),
        differing=sum(placed.differs for placed in placed_rows) + len(unshared),
        shown_count=len(kept) + len(unshared_rows),
    )


def _sections(placed_rows: Sequence[_PlacedRow]) -> Iterator[Section]:
    for node, rows_of_node in groupby(placed_rows, key=lambda placed: placed.node):
        by_title = groupby(rows_of_node, key=lambda placed: placed.title)
        groups = (
            Group(title, tuple(placed.row() for placed in group)) for title, group in by_title
        )
        yield Section(node, tuple(groups))


def _value_rows(
    columns: Sequence[Column], indexes: Sequence[NodeIndex], shared: Collection[str], kinds: Kinds
) -> Iterator[_PlacedRow]:
    """Yield a row for each value of the shared nodes."""
    sides = [dict(tree_leaves(read_tree(column.target, lambda _: None))) for column in columns]
    lookups = [OptionLookup(column.target, kinds) for column in columns]
    facts = list(kinds[HARDWARE].schema["properties"])
    for pointer in dict.fromkeys(pointer for side in sides for pointer in side):
        first = next(number for number, side in enumerate(sides) if pointer in side)
        node = indexes[first].node_of(pointer)
        path = split_pointer(pointer[len(node) :])
        if node not in shared or path[:2] == SOURCES:
            continue
        leaves = [side.get(pointer) for side in sides]
        differs = not _are_equal(leaves)
        options = lookups[first].options_at(pointer)
        consumers = {name for option in options for name in option.consumers}
        yield _PlacedRow(
            node,
            _title(path, consumers),
            (_rank(path, facts), natural_key(pointer)),
            differs,
            partial(_row, pointer, path, leaves, indexes, differs=differs),
        )


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


def _row(
    pointer: str,
    path: Sequence[str],
    leaves: Sequence[Leaf | None],
    indexes: Sequence[NodeIndex],
    *,
    differs: bool,
) -> Row:
    cells = [
        _cell(leaf.value, index.human(pointer, leaf.value)) if leaf else None
        for leaf, index in zip(leaves, indexes, strict=True)
    ]
    row_cells = tuple(_with_bars(cells) if differs else cells)
    if path[0] == HARDWARE:
        words = [label(path[1]), *path[2:]] if path[1:] else [label(HARDWARE)]
        return Row(" ".join(words), False, row_cells, differs)
    return Row("/".join(path), True, row_cells, differs)


def _with_bars(cells: Sequence[Cell | None]) -> Iterator[Cell | None]:
    """Add bars, scaled to the largest, if two quantities differ."""
    quantities = [cell.quantity for cell in cells if cell and cell.quantity is not None]
    has_bars = len(set(quantities)) > 1 and min(quantities) >= 0
    for cell in cells:
        if cell and cell.quantity is not None and has_bars:
            yield replace(cell, bar=round(100 * cell.quantity / max(quantities)))
        else:
            yield cell


def _key_rows(columns: Sequence[Column], shared: Sequence[str]) -> Iterator[_PlacedRow]:
    """Yield a row of tuning keys: equal keys mean that tuning records are legal for both."""
    for node in shared:
        keys = [column.keys.get(node) for column in columns]
        if any(keys):
            differs = len(set(keys)) > 1
            yield _PlacedRow(node, TUNING, (-1, ""), differs, partial(_key_row, keys, differs))


def _key_row(keys: Sequence[str | None], differs: bool) -> Row:
    cells = tuple(Cell(key[SHORT_KEY]) if key else None for key in keys)
    return Row("Tuning key", False, cells, differs)


def _outermost(pointers: Sequence[str]) -> list[str]:
    """Return the pointers of nodes, without those inside another of these nodes."""
    known = set(pointers)

    def enclosing(pointer: str) -> Iterator[str]:
        while pointer := pointer.rpartition("/")[0]:
            yield pointer

    return [pointer for pointer in pointers if known.isdisjoint(enclosing(pointer))]


def _unshared_rows(columns: Sequence[Column], pointers: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each of these nodes, which are not compared."""
    nodes_by_column = [{node.pointer: node for node in nodes(column.target)} for column in columns]
    for pointer in pointers:
        cells = [
            Cell(shorten(summary(inside[pointer].value))) if pointer in inside else None
            for inside in nodes_by_column
        ]
        yield Row(pointer, True, tuple(cells), True)


def _cell(value: Json, human: str) -> Cell:
    if isinstance(value, list):
        return Cell(shorten(", ".join(map(_text, value))) or "[]")
    text = _text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return Cell(shorten(text))
    if not human:
        return Cell(text, is_number=True)
    is_raw = human.partition(" ")[0].replace(",", "") == text
    return Cell(human, "" if is_raw else text, is_number=True, quantity=value)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
