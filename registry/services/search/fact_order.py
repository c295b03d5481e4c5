"""Reads tags in the order of a hardware fact, one page at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from registry.domain.comparable_facts import ComparableFact, FactOrder
from registry.models import Attribute, Entry
from registry.services.search.filters import filter_by_tags


class RankedTag(NamedTuple):
    """The value of a tag's fact, and the tag's primary key."""

    number: float
    tag: int

    @property
    def sort_key(self) -> list[Any]:
        """Return what a page continues after."""
        return [self.number, self.tag]


def in_fact_order(
    order: FactOrder,
    filters: Iterable[QuerySet[Any]],
    after: Sequence[Any] | None,
    limit: int,
) -> list[RankedTag]:
    """Return up to `limit` tags after a sort key; of equal values, those published first.

    Tags must have a row in each of the filters. One query, which reads a range of one database
    index, in addition to those that count the rows of filters.
    """
    rows = _stated(order.fact)
    if after:
        number, tag = after
        beyond = Q(number__gt=number) if order.is_reversed else Q(number__lt=number)
        # The first condition lets the database start in the middle of its index.
        edge = {"number__gte" if order.is_reversed else "number__lte": number}
        rows = rows.filter(beyond | Q(number=number, tag__gt=tag), **edge)
    ordered = filter_by_tags(rows, "tag", filters).order_by(
        "number" if order.is_reversed else "-number", "tag"
    )
    return list(map(RankedTag._make, ordered.values_list("number", "tag")[:limit]))


def fact_keys(order: FactOrder, tags: Collection[int]) -> Mapping[int, list[Any]]:
    """Return the sort key of each of these tags that states the fact. One query."""
    sign = 1 if order.is_reversed else -1
    return {tag: [sign * number, tag] for tag, number in _values(order.fact, tags)}


def add_values(fact: ComparableFact, entries: Iterable[Entry]) -> None:
    """Set `fact_value` of entries. One query."""
    by_tag = {entry.pk: entry for entry in entries}
    for tag, number in _values(fact, by_tag):
        by_tag[tag].fact_value = number


def _values(fact: ComparableFact, tags: Collection[int]) -> Iterable[tuple[int, Any]]:
    return _stated(fact).filter(tag__in=tags).values_list("tag", "number")


def _stated(fact: ComparableFact) -> QuerySet[Attribute]:
    """Select the values of a fact in the order of its database index."""
    return Attribute.objects.filter(name=fact.option, pointer=fact.pointer, number__isnull=False)
