"""Reads tags in an order that one database index has: by use, or by a hardware fact."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery, TextChoices
from django.db.models.lookups import IsNull

from registry.domain.search.comparable_facts import ComparableFact, FactOrder
from registry.models import Attribute, Entry, RecentUsage
from registry.models.search_index import EntryQuerySet
from registry.services.search.filters import filter_by_tags, listed

KeyedTag = tuple[list[Any], int]  # a sort key, and the primary key of a tag


class Sort(TextChoices):
    """The order of search results."""

    BEST = "best"  # best match of the text; without a text, by name
    PUBLISHED = "published"  # most recently published first, without fully yanked tags
    USED = "used"  # most often resolved in the last 30 days first, then by name


def top_tags(limit: int) -> list[tuple[int, Entry]]:
    """Return the listed tags that are most often resolved, with their resolves in 30 days.

    Two queries.
    """
    used = listed(RecentUsage.objects.order_by("-resolves", "text"), "tag", {})
    rows = used.values_list("resolves", "tag")[:limit]
    entries = Entry.objects.with_alias().in_bulk([tag for _, tag in rows])
    return [(resolves, entries[tag]) for resolves, tag in rows]


def most_used(
    filters: Iterable[QuerySet[Any]],
    matches: EntryQuerySet,
    facts: Mapping[str, str],
    after: Sequence[Any] | None,
    limit: int,
) -> list[KeyedTag]:
    """Return up to `limit` tags after a sort key, most often resolved first, then by name.

    `matches` are the entries that have these facts and a row in each of the filters. Tags that were
    not resolved come last. Each query reads a range of one database index: at most three, in
    addition to those that count the rows of filters.
    """
    resolves, text = after or (None, "")
    tags: list[tuple[int, str, int]] = []
    if resolves != 0:
        ranked = listed(RecentUsage.objects.order_by("-resolves", "text"), "tag", facts)
        used = filter_by_tags(ranked, "tag", filters)
        ranges = (
            [used]
            if resolves is None
            else [used.filter(resolves=resolves, text__gt=text), used.filter(resolves__lt=resolves)]
        )
        for rows in ranges:
            tags += rows.values_list("resolves", "text", "tag")[: limit - len(tags)]
        text = ""
    if len(tags) < limit:
        usage = RecentUsage.objects.filter(tag=OuterRef("pk")).values("tag")[:1]
        unused = matches.filter(IsNull(Subquery(usage), True), text__gt=text).order_by("text")
        others = unused.values_list("text", "pk")[: limit - len(tags)]
        tags += ((0, *other) for other in others)
    return [([resolves, text], tag) for resolves, text, tag in tags]


def in_fact_order(
    order: FactOrder,
    filters: Iterable[QuerySet[Any]],
    facts: Mapping[str, str],
    after: Sequence[Any] | None,
    limit: int,
) -> list[KeyedTag]:
    """Return up to `limit` tags after a sort key; of equal values, those published first.

    Tags must have these facts and a row in each of the filters. One query, which reads a range of
    one database index, in addition to those that count the rows of filters.
    """
    # Decision 082: tags that do not state the fact have no place in its order.
    rows = listed(_stated(order.fact), "tag", facts)
    if after:
        number, tag = after
        beyond = Q(number__gt=number) if order.is_reversed else Q(number__lt=number)
        # The first condition lets the database start in the middle of its index.
        edge = {"number__gte" if order.is_reversed else "number__lte": number}
        rows = rows.filter(beyond | Q(number=number, tag__gt=tag), **edge)
    ordered = filter_by_tags(rows, "tag", filters).order_by(
        "number" if order.is_reversed else "-number", "tag"
    )
    return [([number, tag], tag) for number, tag in ordered.values_list("number", "tag")[:limit]]


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
