"""Targets as columns of a table: their values in rows, grouped by node and topic."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from registry.domain.composition import nodes
from registry.domain.document import Json, canonical
from registry.domain.kinds import COMPONENTS, FLOW, HARDWARE, Kinds
from registry.domain.pointer import natural_key, split_pointer
from registry.domain.provenance_tree import read_tree, tree_leaves
from registry.web.core.units import label
from registry.web.tags.summary import summary
from registry.web.versions.value_places import NodePlaces, shorten

MAX_CELLS = 400  # some 120 bytes each
MAX_OTHERS = 20  # rows of nodes that only one target has

IS, CODE, TUNING, RUNS, PASSES, FACTS = (
    "Identity",
    "Code generation",
    "Tuning limits",
    "Executor and runtime",
    "Pass settings",
    "Hardware facts",
)
TITLES = (IS, CODE, TUNING, RUNS, PASSES, FACTS)
NAMES = ("kind", "model", "device", "keys")  # of the first group, in this order
OF_PART = {  # by the first word of an option's place
    HARDWARE: FACTS,
    FLOW: PASSES,
    **dict.fromkeys(COMPONENTS, RUNS),
    **dict.fromkeys(NAMES, IS),
}
OF_CONSUMER = {"tuning": TUNING, "codegen": CODE, "graph-executor": RUNS, "runtime": RUNS}
SOURCES = [HARDWARE, "sources"]  # the sources of the facts are not compared
KEY_SHOWN = slice(4, 16)  # of a tuning key: enough digits to tell two apart


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

    shown: str
    raw: str = ""
    is_number: bool = False
    quantity: float | None = None
    bar: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One attribute; the cell of a target that does not set it is None."""

    label: str
    is_name: bool  # whether `label` is an option's name
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
class _Line:
    """A row with its node, its title, and its sort key under them."""

    node: str
    title: str
    place: tuple[int, tuple[object, ...]]
    row: Row


@dataclass(frozen=True, slots=True)
class Section:
    """The groups of one node."""

    pointer: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by node; `others` are nodes that only one target has, one row each.

    `count` and `differing` count all rows, shown or not.
    """

    sections: tuple[Section, ...]
    others: tuple[Row, ...]
    count: int
    differing: int
    shown: int


def comparison_table(
    columns: Sequence[Column], known: Kinds, *, only_differences: bool = False
) -> Table:
    """Compare targets: their roots, and the nodes at pointers that two or more of them have."""
    places = [NodePlaces.of(column.target, known) for column in columns]
    pointers = list(dict.fromkeys(pointer for place in places for pointer in place.kinds))
    enough = min(2, len(columns))
    shared = [at for at in pointers if sum(at in place.kinds for place in places) >= enough]
    lines = [*_key_lines(columns, shared), *_lines(columns, places, set(shared), known)]
    lines.sort(key=lambda line: (shared.index(line.node), TITLES.index(line.title), line.place))
    wanted = [line for line in lines if line.row.differs or not only_differences]
    kept = wanted[: MAX_CELLS // len(columns)] if columns else []
    others = _others(columns, [at for at in pointers if at not in shared])
    return Table(
        tuple(_sections(kept)),
        tuple(others[:MAX_OTHERS]),
        count=len(lines) + len(others),
        differing=sum(line.row.differs for line in lines) + len(others),
        shown=len(kept) + len(others[:MAX_OTHERS]),
    )


def _sections(lines: Sequence[_Line]) -> Iterator[Section]:
    for node, inside in groupby(lines, key=lambda line: line.node):
        by_title = groupby(inside, key=lambda line: line.title)
        groups = (Group(title, tuple(line.row for line in of)) for title, of in by_title)
        yield Section(node, tuple(groups))


def _lines(
    columns: Sequence[Column], places: Sequence[NodePlaces], shared: Collection[str], known: Kinds
) -> Iterator[_Line]:
    """Yield a line for each value of the shared nodes."""
    sides = [dict(tree_leaves(read_tree(column.target, lambda _: None))) for column in columns]
    facts = list(known[HARDWARE].schema["properties"])
    for pointer in dict.fromkeys(pointer for side in sides for pointer in side):
        at = next(at for at, side in enumerate(sides) if pointer in side)
        node = places[at].node_of(pointer)
        path = split_pointer(pointer.removeprefix(node))
        if node not in shared or path[:2] == SOURCES:
            continue
        cells = [
            _cell(side[pointer].value, place.human.get(pointer, "")) if pointer in side else None
            for side, place in zip(sides, places, strict=True)
        ]
        values = {canonical(side[pointer].value) if pointer in side else None for side in sides}
        options = known.options_at(columns[at].target, pointer)
        consumers = {name for option in options for name in option.consumers}
        rank = _rank(path, facts)
        row = _row(path, cells, differs=len(values) > 1)
        yield _Line(node, _title(path, consumers), (rank, natural_key(pointer)), row)


def _rank(path: Sequence[str], facts: Sequence[str]) -> int:
    """Return the sort rank: first `NAMES` in order, then by name; facts as in their schema."""
    if path[0] == HARDWARE:
        return facts.index(path[1]) if path[1:] and path[1] in facts else len(facts)
    return NAMES.index(path[0]) if path[0] in NAMES else len(NAMES)


def _title(path: Sequence[str], consumers: Collection[str]) -> str:
    if path[0] in OF_PART:
        return OF_PART[path[0]]
    return next((title for name, title in OF_CONSUMER.items() if name in consumers), IS)


def _row(path: Sequence[str], cells: Sequence[Cell | None], *, differs: bool) -> Row:
    shown = tuple(_with_bars(cells)) if differs else tuple(cells)
    if path[0] == HARDWARE:
        words = [label(path[1]), *path[2:]] if path[1:] else [label(HARDWARE)]
        return Row(" ".join(words), False, shown, differs)
    return Row("/".join(path), True, shown, differs)


def _with_bars(cells: Sequence[Cell | None]) -> Iterator[Cell | None]:
    """Add bars, scaled to the largest, if two quantities differ."""
    known = [cell.quantity for cell in cells if cell and cell.quantity is not None]
    invites = len(set(known)) > 1 and min(known) >= 0
    for cell in cells:
        if cell and cell.quantity is not None and invites:
            yield replace(cell, bar=round(100 * cell.quantity / max(known)))
        else:
            yield cell


def _key_lines(columns: Sequence[Column], shared: Sequence[str]) -> Iterator[_Line]:
    """Yield a row of tuning keys: equal keys mean that tuning records are legal for both."""
    for node in shared:
        keys = [column.keys.get(node) for column in columns]
        if any(keys):
            cells = tuple(Cell(key[KEY_SHOWN]) if key else None for key in keys)
            yield _Line(node, TUNING, (-1, ()), Row("Tuning key", False, cells, len(set(keys)) > 1))


def _others(columns: Sequence[Column], pointers: Sequence[str]) -> list[Row]:
    """Return a row for each node that is not compared, except those inside another such node."""
    found = []
    for pointer in pointers:
        if any(pointer.startswith(f"{outer}/") for outer in pointers):
            continue
        inside = ({node.pointer: node for node in nodes(column.target)} for column in columns)
        cells = [
            Cell(shorten(summary(known[pointer].value))) if pointer in known else None
            for known in inside
        ]
        found.append(Row(pointer, True, tuple(cells), True))
    return found


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
