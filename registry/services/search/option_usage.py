"""How tags use kinds: how many have each, and to what they set its options.

Counted in the index of search, by its own conditions, so that each number is that of a list. Nodes
deeper inside are not: search finds them by any name, not by the kind that they belong to.
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
MIXINS = ""  # the kind of what has none
MAX_VALUES = 5  # of an option, the most frequent
SECONDS = 3.0  # that counting may take of the database; at 100,000 tags it takes 0.1 to 1.4


@dataclass(frozen=True, slots=True)
class NodePosition:
    """Where nodes of a kind stand, and what a list is asked for to have the tags with one there.

    Pass settings and facts of hardware have no kind to ask for.
    """

    pointer: str
    facts: Mapping[str, str]
    where: tuple[str, ...] = ()

    def condition(self, option: str, value: str) -> str:
        """What a list is asked for besides; empty where no condition can say it."""
        pointer = child(self.pointer, option)
        text = f"{pointer}={value}"
        try:
            said = Condition.parse(text)
        except Refused:
            return ""
        is_same = (said.pointer, said.operator) == (pointer, "=") and value in said.texts
        return text if is_same else ""


@dataclass(frozen=True, slots=True)
class OptionUse:
    """How many tags set an option at a place, to how many values, and to which most often."""

    place: NodePosition
    tags: int
    different: int
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class KindUsage:
    """How many tags have a kind at each of its places; by option, where tags set it."""

    tags: tuple[tuple[NodePosition, int], ...]
    options: Mapping[str, tuple[OptionUse, ...]]


@dataclass(frozen=True, slots=True)
class KindTotals:
    """How many tags have a kind as what they are, and how many as their host."""

    tags: int
    hosts: int = 0


def node_positions(kind: Kind) -> tuple[NodePosition, ...]:
    """Where nodes of a kind are looked for."""
    if kind.role == TARGET:
        host = NodePosition(HOST, {}, (f"{HOST}/kind={kind.word}",))
        return NodePosition(ROOT, {"kind": kind.word}), host
    pointer = child(ROOT, kind.role)
    stated = (f"{pointer}/kind={kind.word}",) if kind.role in COMPONENTS else ()
    return (NodePosition(pointer, {}, stated),)


def kind_totals() -> dict[str, KindTotals]:
    """How many tags have each kind, by its name, those that none has too, and of mixins.

    Three queries. Pass settings and facts of hardware are not counted: they are no kind of node.
    """
    roots = dict(_by(Entry.objects.all(), "kind"))
    pointers = [HOST, *(child(ROOT, role) for role in COMPONENTS)]
    stated = Attribute.objects.filter(name="kind", pointer__in=[f"{p}/kind" for p in pointers])
    nodes = {(pointer, word): count for pointer, word, count in _by(stated, "pointer", "text")}
    found = {MIXINS: KindTotals(roots.get(MIXINS, 0))}
    for kind in kinds.current_kinds().kinds.values():
        if kind.role == TARGET:
            hosts = nodes.get((f"{HOST}/kind", kind.word), 0)
            found[kind.name] = KindTotals(roots.get(kind.word, 0), hosts)
        elif kind.role in COMPONENTS:
            found[kind.name] = KindTotals(nodes.get((f"/{kind.role}/kind", kind.word), 0))
    return found


def option_usage(kind: Kind) -> KindUsage | None:
    """How tags use a kind's options; None where counting would take longer than 3 s.

    One query, and after each write three for each place.
    """
    last = Event.objects.order_by("-number").values_list("number", "created").first()
    try:
        return _usage(_Asked(kind), last)
    except Refused as refusal:
        if refusal.code is not Code.BUSY:
            raise
        return None


@dataclass(frozen=True)
class _Asked:
    """A kind, known by its name and revision."""

    kind: Kind

    def __hash__(self) -> int:
        return hash((self.kind.name, self.kind.revision))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.kind is other.kind


@lru_cache(maxsize=256)  # the kinds that there are, some times over
def _usage(asked: _Asked, _last: tuple[int, datetime] | None) -> KindUsage:
    """Counted once until something is written. A number alone would not do: a rollback frees it."""
    kind = asked.kind
    found: dict[str, list[OptionUse]] = {}
    tags = []
    with time_limit(SECONDS):
        for place in node_positions(kind):
            tags.append((place, _count(place, kind)))
            for option, use in _uses(place, kind).items():
                found.setdefault(option, []).append(use)
    return KindUsage(tuple(tags), {option: tuple(uses) for option, uses in found.items()})


def _count(place: NodePosition, kind: Kind) -> int:
    """How many tags have such a node. One query."""
    tags = _tags(place)
    if tags is not None:
        return tags.count()
    counted: int = _set(place, kind).aggregate(count=Count("tag", distinct=True))["count"]
    return counted


def _uses(place: NodePosition, kind: Kind) -> dict[str, OptionUse]:
    """What tags set at a place, by option. Two queries."""
    found = _set(place, kind)
    grouped = found.values("name", "text").annotate(count=Count("*"))
    ranked = grouped.annotate(
        rank=_over_option(RowNumber(), F("count").desc(), F("text").asc()),
        total=_over_option(_Total("count")),
        different=_over_option(Count("*")),
    )
    columns = ("name", "text", "count", "total", "different")
    top = ranked.filter(rank__lte=MAX_VALUES).order_by("name", "rank").values_list(*columns)
    lists = found.filter(name__in=[name for name in kind.options if _is_list(kind, name)])
    tags = dict(lists.values_list("name").annotate(tags=Count("tag", distinct=True)))
    uses: dict[str, OptionUse] = {}
    for option, rows in groupby(top, key=itemgetter(0)):
        values = list(rows)
        *_, total, different = values[0]
        shown = tuple(Value(text, count) for _, text, count, *_ in values)
        uses[option] = OptionUse(place, tags.get(option, total), different, shown)
    return uses


def _over_option(function: Func, *order: OrderBy) -> Window:
    """Something of all values of the same option."""
    return Window(function, partition_by=F("name"), order_by=list(order) or None)


class _Total(Func):
    """The sum of what groups count: Django's own sums of aggregates know no windows."""

    function = "SUM"
    window_compatible = True
    output_field = IntegerField()


def _is_list(kind: Kind, option: str) -> bool:
    """Whether a tag can have several values of an option: it counts for each, and once in all."""
    schema = kind.schema["properties"][option]
    definition = DEFS.get(schema.get("$ref", "").removeprefix("#/$defs/"), schema)
    return "array" in definition.get("type", ()) or "type" not in definition


def _set(place: NodePosition, kind: Kind) -> QuerySet[Attribute]:
    """The values of a kind's options, and items of those that are lists, at a place."""
    names = [name for name in kind.options if name != "kind"]
    pointers = [child(place.pointer, name) for name in names]
    found = Attribute.objects.order_by().filter(name__in=names, pointer__in=pointers)
    tags = _tags(place)
    return found if tags is None else found.filter(tag__in=tags.values("tag"))


def _tags(place: NodePosition) -> QuerySet[Any] | None:
    """A row for each tag that has a node at a place; None where a place needs none."""
    if place.facts:
        return entries_with_facts(place.facts).order_by()
    if place.where:
        (condition,) = map(Condition.parse, place.where)
        return attributes_matching(condition).order_by()
    return None


def _by(rows: QuerySet[Any], *columns: str) -> QuerySet[Any, Any]:
    """Groups of rows that have the same values, and how many."""
    return rows.order_by().values_list(*columns).annotate(count=Count("*"))
