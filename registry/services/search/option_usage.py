"""Counts the tags of each kind, and the values of its options.

Counts use the search index and search conditions, so each equals the number of search results.
Nested nodes are not counted, because search does not find them by kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Count, F, Func, IntegerField, QuerySet, Window
from django.db.models.expressions import OrderBy
from django.db.models.functions import RowNumber

from registry.domain.conditions import Condition
from registry.domain.errors import Code, Refused
from registry.domain.kinds import COMPONENTS, TARGET, Kind
from registry.domain.pointer import ROOT, child
from registry.domain.schema import DEFS
from registry.models import Attribute, Entry, Event
from registry.services.kinds import kinds
from registry.services.search.deadlines import time_limit
from registry.services.search.facets import Value
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
class OptionUse:
    """The number of tags that set an option at a position, and its most frequent values."""

    position: NodePosition
    tags: int
    distinct: int  # values
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class KindUsage:
    """The number of tags with a kind at each position, and the use of its options."""

    tags: tuple[tuple[NodePosition, int], ...]
    options: Mapping[str, tuple[OptionUse, ...]]


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
    roots = dict(_count_by(Entry.objects.all(), "kind"))
    pointers = [HOST, *(child(ROOT, role) for role in COMPONENTS)]
    stated = Attribute.objects.filter(name="kind", pointer__in=[f"{p}/kind" for p in pointers])
    counts = _count_by(stated, "pointer", "text")
    nodes = {(pointer, word): count for pointer, word, count in counts}
    totals = {MIXINS: KindTotals(roots.get(MIXINS, 0))}
    for kind in kinds.current_kinds().kinds.values():
        if kind.role == TARGET:
            hosts = nodes.get((f"{HOST}/kind", kind.word), 0)
            totals[kind.name] = KindTotals(roots.get(kind.word, 0), hosts)
        elif kind.role in COMPONENTS:
            totals[kind.name] = KindTotals(nodes.get((f"/{kind.role}/kind", kind.word), 0))
    return totals


def option_usage(kind: Kind) -> KindUsage | None:
    """Return the use of a kind's options, or None if counting takes longer than 3 s.

    One query; after every write, three more for each position.
    """
    last = Event.objects.order_by("-number").values_list("number", "created").first()
    try:
        return _usage(_KindKey(kind), last)
    except Refused as refusal:
        if refusal.code is not Code.BUSY:
            raise
        return None


@dataclass(frozen=True)
class _KindKey:
    """A kind as a cache key, hashed by its name and revision."""

    kind: Kind

    def __hash__(self) -> int:
        return hash((self.kind.name, self.kind.revision))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _KindKey) and self.kind is other.kind


@lru_cache(maxsize=256)  # a few times the number of kinds
def _usage(key: _KindKey, _last: tuple[int, datetime] | None) -> KindUsage:
    """Return a kind's usage, cached until the last event changes.

    Its number alone is not enough, because rollbacks free numbers.
    """
    kind = key.kind
    options: dict[str, list[OptionUse]] = {}
    tags = []
    with time_limit(MAX_SECONDS):
        for position in node_positions(kind):
            tags.append((position, _count(position, kind)))
            for option, use in _uses(position, kind).items():
                options.setdefault(option, []).append(use)
    return KindUsage(tuple(tags), {option: tuple(uses) for option, uses in options.items()})


def _count(position: NodePosition, kind: Kind) -> int:
    """Return the number of tags with such a node. One query."""
    tags = _tags(position)
    if tags is not None:
        return tags.count()
    count: int = _values(position, kind).aggregate(count=Count("tag", distinct=True))["count"]
    return count


def _uses(position: NodePosition, kind: Kind) -> dict[str, OptionUse]:
    """Return the options that tags set at a position. Two queries."""
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
    uses: dict[str, OptionUse] = {}
    for option, rows in groupby(top, key=itemgetter(0)):
        counts = list(rows)
        *_, total, distinct = counts[0]
        values = tuple(Value(text, count) for _, text, count, *_ in counts)
        uses[option] = OptionUse(position, tags.get(option, total), distinct, values)
    return uses


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
    return rows if tags is None else rows.filter(tag__in=tags.values("tag"))


def _tags(position: NodePosition) -> QuerySet[Any] | None:
    """Return a row for each tag with a node at a position; None if no search finds it."""
    if position.facts:
        return entries_with_facts(position.facts).order_by()
    if position.where:
        (condition,) = map(Condition.parse, position.where)
        return attributes_matching(condition).order_by()
    return None


def _count_by(rows: QuerySet[Any], *columns: str) -> QuerySet[Any, Any]:
    """Return the number of rows for each combination of values."""
    return rows.order_by().values_list(*columns).annotate(count=Count("*"))
