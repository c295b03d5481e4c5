"""Counts the tags of each kind, and the values of its options.

The counts are running totals of the search index, so each equals the number of search results.
Nested nodes are not counted, because search does not find them by kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from registry.domain.errors import Refused
from registry.domain.kinds.kinds import COMPONENTS, TARGET, Kind
from registry.domain.search.conditions import Condition
from registry.domain.search.counted_options import HOST, MIXINS
from registry.models import Counted, Total, ValueTotal
from registry.models.combined_queries import rows_of_each
from registry.services.kinds import kinds
from registry.services.search.facets import FacetValue
from ttag_rules.pointer import ROOT, child

MAX_VALUES = 5  # of an option, the most frequent


@dataclass(frozen=True, slots=True)
class NodePosition:
    """A pointer at which nodes of a kind occur, and the search for tags with such a node.

    Pass settings and hardware facts have no kind to search for.
    """

    pointer: str
    kind: str
    facts: Mapping[str, str]
    where: tuple[str, ...] = ()

    @property
    def node(self) -> str:
        """Return what totals call a node at this position."""
        return f"{self.kind}{self.pointer}"

    def option(self, name: str) -> str:
        """Return what totals call an option of such a node."""
        return f"{self.kind}{child(self.pointer, name)}"

    def condition(self, option: str, value: str) -> str:
        """Return the search condition for an option's value; empty if none can express it."""
        pointer = child(self.pointer, option)
        text = f"{pointer}={value}"
        try:
            parsed = Condition.parse(text)
        except Refused:
            return ""
        is_same = parsed.pointer == pointer and parsed.operator == "=" and value in parsed.texts
        return text if is_same else ""


@dataclass(frozen=True, slots=True)
class OptionCount:
    """The number of tags that set an option at a position, and its most frequent values."""

    position: NodePosition
    tags: int
    distinct: int  # values
    values: tuple[FacetValue, ...]


@dataclass(frozen=True, slots=True)
class KindCounts:
    """The number of tags with a kind at each position, and those that set its options."""

    tags: tuple[tuple[NodePosition, int], ...]
    options: Mapping[str, tuple[OptionCount, ...]]


@dataclass(frozen=True, slots=True)
class KindTotals:
    """The number of tags of a kind, and of tags whose host has the kind."""

    tags: int
    hosts: int = 0


def node_positions(kind: Kind) -> tuple[NodePosition, ...]:
    """Return the positions at which nodes of a kind occur."""
    if kind.role == TARGET:
        host = NodePosition(HOST, kind.word, {}, (f"{HOST}/kind={kind.word}",))
        return NodePosition(ROOT, kind.word, {"kind": kind.word}), host
    pointer = child(ROOT, kind.role)
    if kind.role not in COMPONENTS:
        return (NodePosition(pointer, "", {}),)
    return (NodePosition(pointer, kind.word, {}, (f"{pointer}/kind={kind.word}",)),)


def kind_totals() -> dict[str, KindTotals]:
    """Return the totals of every kind by name, and of mixins.

    Two queries. Does not count pass settings and hardware facts, which are not kinds of nodes.
    """
    positions = {
        kind.name: node_positions(kind)
        for kind in kinds.current_kinds().kinds.values()
        if kind.role == TARGET or kind.role in COMPONENTS
    }
    nodes = [position.node for of_kind in positions.values() for position in of_kind]
    tags = Total.objects.of(Counted.OPTION, [MIXINS, *nodes])
    return {
        MIXINS: KindTotals(tags.get(MIXINS, 0)),
        **{
            name: KindTotals(*(tags.get(position.node, 0) for position in of_kind))
            for name, of_kind in positions.items()
        },
    }


def count_options(kind: Kind) -> KindCounts:
    """Return how often a kind's options have which values. Three queries."""
    positions = node_positions(kind)
    names = {
        position.option(option): (position, option)
        for option in kind.options
        if option != "kind"
        for position in positions
    }
    tags = Total.objects.of(Counted.OPTION, [*names, *(position.node for position in positions)])
    distinct = Total.objects.of(Counted.VALUES, names)
    options: dict[str, list[OptionCount]] = defaultdict(list)
    for name, values in _most_frequent([name for name in names if name in distinct]):
        position, option = names[name]
        options[option].append(OptionCount(position, tags[name], distinct[name], values))
    return KindCounts(
        tuple((position, tags.get(position.node, 0)) for position in positions),
        {option: tuple(counts) for option, counts in options.items()},
    )


def _most_frequent(options: Sequence[str]) -> Iterator[tuple[str, tuple[FacetValue, ...]]]:
    """Yield options with their most frequent values. One query."""
    rows = rows_of_each(
        [
            ValueTotal.objects.filter(option=option)
            .order_by("-number", "text")
            .values_list("text", "number")[:MAX_VALUES]
            for option in options
        ]
    )
    for option, values in zip(options, rows, strict=True):
        ordered = sorted(values, key=lambda row: (-row[1], row[0]))
        yield option, tuple(FacetValue(text, number) for text, number in ordered)
