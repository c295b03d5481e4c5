"""Counts the tags of each kind, and the values of its options.

Counts use the search index and search conditions, so each equals the number of search results.
Nested nodes are not counted, because search does not find them by kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Count, F, Func, IntegerField, QuerySet, Window
from django.db.models.expressions import OrderBy
from django.db.models.functions import RowNumber

from registry.domain.errors import Refused
from registry.domain.kinds.kinds import COMPONENTS, TARGET, Kind
from registry.domain.kinds.schema import DEFS
from registry.domain.pointer import ROOT, child
from registry.domain.search.conditions import Condition
from registry.models import Attribute, Event
from registry.services.core.memory_cache import cache
from registry.services.kinds import kinds
from registry.services.search.deadlines import time_limit, unless_busy
from registry.services.search.facets import FacetValue, deprecated_tags
from registry.services.search.filters import attributes_matching, entries_with_facts

HOST = "/host"
MIXINS = ""  # the key of tags without a kind
MAX_VALUES = 5  # of an option, the most frequent
MAX_SECONDS = 3.0  # of database time; 100,000 tags take 0.1 to 1.4 s


@dataclass(frozen=True, slots=True)
class NodePosition:
    """A pointer at which nodes of a kind occur, and the search for tags with such a node.

    Pass settings and hardware facts have no kind to search for.
    """

    pointer: str
    facts: Mapping[str, str]
    where: tuple[str, ...] = ()

    def condition(self, option: str, value: str) -> str:
        """Return the search condition for an option's value; empty if none can express it."""
        pointer = child(self.pointer, option)
        text = f"{pointer}={value}"
        try:
            parsed = Condition.parse(text)
        except Refused:
            return ""
        is_expressible = (parsed.pointer, parsed.operator) == (
            pointer,
            "=",
        ) and value in parsed.texts
        return text if is_expressible else ""


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
        host = NodePosition(HOST, {}, (f"{HOST}/kind={kind.word}",))
        return NodePosition(ROOT, {"kind": kind.word}), host
    pointer = child(ROOT, kind.role)
    stated = (f"{pointer}/kind={kind.word}",) if kind.role in COMPONENTS else ()
    return (NodePosition(pointer, {}, stated),)


def kind_totals() -> dict[str, KindTotals]:
    """Return the totals of every kind by name, and of mixins.

    Three queries. Does not count pass settings and hardware facts, which are not kinds of nodes.
    """
    roots = dict(_count_by(entries_with_facts({}), "kind"))
    pointers = [HOST, *(child(ROOT, role) for role in COMPONENTS)]
    stated = Attribute.objects.filter(name="kind", pointer__in=[f"{p}/kind" for p in pointers])
    counts = _count_by(stated.exclude(tag__in=deprecated_tags()), "pointer", "text")
    nodes = {(pointer, word): count for pointer, word, count in counts}
    totals = {MIXINS: KindTotals(roots.get(MIXINS, 0))}
    for kind in kinds.current_kinds().kinds.values():
        if kind.role == TARGET:
            hosts = nodes.get((f"{HOST}/kind", kind.word), 0)
            totals[kind.name] = KindTotals(roots.get(kind.word, 0), hosts)
        elif kind.role in COMPONENTS:
            totals[kind.name] = KindTotals(nodes.get((f"/{kind.role}/kind", kind.word), 0))
    return totals


def count_options(kind: Kind) -> KindCounts | None:
    """Return how often a kind's options have which values, or None if counting takes over 3 s.

    One query; after every write, three more for each position.
    """
    # The number of the last event alone is not enough, because rollbacks free numbers.
    last = Event.objects.order_by("-number").values_list("number", "created").first()
    key = (__name__, kind.name, kind.revision, last)
    return unless_busy(lambda: cache.get_or_compute(key, lambda: _count_options(kind)))


def _count_options(kind: Kind) -> KindCounts:
    options: dict[str, list[OptionCount]] = defaultdict(list)
    tags = []
    with time_limit(MAX_SECONDS):
        for position in node_positions(kind):
            tags.append((position, _count(position, kind)))
            for option, count in _option_counts(position, kind):
                options[option].append(count)
    return KindCounts(tuple(tags), {option: tuple(counts) for option, counts in options.items()})


def _count(position: NodePosition, kind: Kind) -> int:
    """Return the number of tags with such a node. One query."""
    tags = _tags(position)
    if tags is not None:
        return tags.count()
    count: int = _values(position, kind).aggregate(count=Count("tag", distinct=True))["count"]
    return count


def _option_counts(position: NodePosition, kind: Kind) -> Iterator[tuple[str, OptionCount]]:
    """Yield the options that tags set at a position, with their counts. Two queries."""
    attributes = _values(position, kind)
    grouped = attributes.values("name", "text").annotate(count=Count("*"))
    ranked = grouped.annotate(
        rank=_per_option(RowNumber(), F("count").desc(), F("text").asc()),
        total=_per_option(_Total("count")),
        distinct=_per_option(Count("*")),
    )
    columns = ("name", "text", "count", "total", "distinct")
    top = ranked.filter(rank__lte=MAX_VALUES).order_by("name", "rank").values_list(*columns)
    lists = attributes.filter(name__in=[name for name in kind.options if _is_list(kind, name)])
    tags = dict(lists.values_list("name").annotate(tags=Count("tag", distinct=True)))
    for option, rows in groupby(top, key=itemgetter(0)):
        counts = list(rows)
        *_, total, distinct = counts[0]
        values = tuple(FacetValue(text, count) for _, text, count, *_ in counts)
        yield option, OptionCount(position, tags.get(option, total), distinct, values)


def _per_option(function: Func, *order: OrderBy) -> Window:
    """Return a window function over the values of the same option."""
    return Window(function, partition_by=F("name"), order_by=list(order) or None)


class _Total(Func):
    """The sum of group counts; Django's Sum of an aggregate does not support windows."""

    function = "SUM"
    window_compatible = True
    output_field = IntegerField()


def _is_list(kind: Kind, option: str) -> bool:
    """Return whether a tag can have several values of an option; it still counts as one tag."""
    schema = kind.schema["properties"][option]
    definition = DEFS.get(schema.get("$ref", "").removeprefix("#/$defs/"), schema)
    return "array" in definition.get("type", ()) or "type" not in definition


def _values(position: NodePosition, kind: Kind) -> QuerySet[Attribute]:
    """Return the values of a kind's options at a position, and the items of lists."""
    names = [name for name in kind.options if name != "kind"]
    pointers = [child(position.pointer, name) for name in names]
    rows = Attribute.objects.order_by().filter(name__in=names, pointer__in=pointers)
    tags = _tags(position)
    listed = rows.exclude(tag__in=deprecated_tags())
    return listed if tags is None else rows.filter(tag__in=tags.values("tag"))


def _tags(position: NodePosition) -> QuerySet[Any] | None:
    """Return a row for each tag with a node at a position; None if no search finds it."""
    if position.facts:
        return entries_with_facts(position.facts).order_by()
    if position.where:
        (condition,) = map(Condition.parse, position.where)
        return attributes_matching(condition).exclude(tag__in=deprecated_tags()).order_by()
    return None


def _count_by(rows: QuerySet[Any], *columns: str) -> QuerySet[Any, Any]:
    """Return the number of rows for each combination of values."""
    counted: QuerySet[Any, Any] = rows.order_by().values_list(*columns).annotate(count=Count("*"))
    return counted
