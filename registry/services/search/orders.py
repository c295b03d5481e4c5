"""Reads tags in an order that one database index has: by use, or by a hardware fact."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery, TextChoices
from django.db.models.lookups import IsNull

from registry.domain.search.comparable_facts import ComparableFact, FactOrder
from registry.models import Attribute, Entry, RecentUsage
from registry.models.search_index import EntryQuerySet
from registry.services.search.facets import ANY, STATUS
from registry.services.search.filters import (
    CountedFilter,
    entries_with_facts,
    filter_by_tags,
    is_common,
    listed,
)

KeyedTag = tuple[list[Any], int]  # a sort key, and the primary key of a tag


class Sort(TextChoices):
    """The order of search results."""

    BEST = "best"  # best match of the text; without a text, by name
    PUBLISHED = "published"  # most recently published first, without fully yanked tags
    MACHINES = "machines"  # without a text: machines before chips, by name; else the best match
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
    filters: Sequence[CountedFilter],
    matches: EntryQuerySet,
    facts: Mapping[str, str],
    after: Sequence[Any] | None,
    limit: int,
) -> list[KeyedTag]:
    """Return up to `limit` tags after a sort key, most often resolved first, then by name.

    `matches` are the entries that have these facts and a row in each of the filters. Tags that were
    not resolved come last. Each query reads a range of one database index: at most three.
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


def machines_first(
    filters: Sequence[CountedFilter], facts: Mapping[str, str], after: Sequence[Any] | None
) -> EntryQuerySet:
    """Return the entries after a sort key, machines before chips, then by name.

    Tags must have these facts and a row in each of the filters, of which one has the facts, if
    there are any. Reads a range of one index.
    """
    if is_common(filters):  # an index of one of the facts has the order
        rows = entries_with_facts(facts)
    else:
        rows = entries_with_facts({STATUS: ANY} if STATUS in facts else {})
    if after:
        place, text = after
        rows = rows.filter(Q(place__gt=place) | Q(place=place, text__gt=text), place__gte=place)
    return filter_by_tags(rows, "pk", filters).order_by("place", "text")


def stating(fact: ComparableFact) -> QuerySet[Attribute]:
    """Select the values of a fact, by the database index that has their order."""
    return Attribute.objects.filter(name=fact.option, pointer=fact.pointer, number__isnull=False)


def unstated(fact: ComparableFact, entries: EntryQuerySet) -> EntryQuerySet:
    """Return the entries of tags that do not state a fact."""
    numbers = stating(fact).filter(tag=OuterRef("pk")).order_by().values("number")[:1]
    return entries.filter(IsNull(Subquery(numbers), True))


# Decision 147: an order hides nothing; what does not state the fact comes last.
def in_fact_order(
    order: FactOrder,
    filters: Sequence[CountedFilter],
    matches: EntryQuerySet,
    facts: Mapping[str, str],
    *,
    after: Sequence[Any] | None,
    limit: int,
) -> list[KeyedTag]:
    """Return up to `limit` tags after a sort key, and last those without the fact, by name.

    `matches` are the entries that have these facts and a row in each of the filters. Of equal
    values, those published first come first. Each query reads a range of one database index: at
    most two.
    """
    number, beyond = after or (None, None)
    tags: list[KeyedTag] = []
    if after is None or number is not None:
        tags = _stating(order, filters, facts, after, limit)
        beyond = ""
    if len(tags) < limit:
        others = unstated(order.fact, matches).filter(text__gt=beyond).order_by("text")
        rows = others.values_list("text", "pk")[: limit - len(tags)]
        tags += [([None, text], tag) for text, tag in rows]
    return tags


def _stating(
    order: FactOrder,
    filters: Sequence[CountedFilter],
    facts: Mapping[str, str],
    after: Sequence[Any] | None,
    limit: int,
) -> list[KeyedTag]:
    """Return tags that state the fact. One query."""
    rows = listed(stating(order.fact), "tag", facts)
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
    stated = stating(order.fact).filter(tag__in=tags).values_list("tag", "number")
    return {tag: [sign * number, tag] for tag, number in stated if number is not None}
