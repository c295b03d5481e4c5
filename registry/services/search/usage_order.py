"""Reads tags from the most to the least often resolved, one page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.lookups import IsNull

from registry.models import Entry, RecentUsage
from registry.models.search_index import EntryQuerySet
from registry.services.search.filters import filter_by_tags


class UsedTag(NamedTuple):
    """The resolves of a tag in the last 30 days, its text and its primary key."""

    resolves: int
    text: str
    tag: int

    @property
    def sort_key(self) -> list[Any]:
        """Return what a page continues after."""
        return [self.resolves, self.text]


def top_tags(limit: int) -> list[tuple[int, Entry]]:
    """Return the most often resolved tags with their resolves in the last 30 days. Two queries."""
    rows = RecentUsage.objects.order_by("-resolves", "text").values_list("resolves", "tag")[:limit]
    entries = Entry.objects.in_bulk([tag for _, tag in rows])
    return [(resolves, entries[tag]) for resolves, tag in rows]


def most_used(
    filters: Iterable[QuerySet[Any]],
    matches: EntryQuerySet,
    after: Sequence[Any] | None,
    limit: int,
) -> list[UsedTag]:
    """Return up to `limit` tags after a sort key, most often resolved first, then by name.

    `matches` are the entries that have a row in each of the filters. Tags that were not resolved
    come last. Each query reads a range of one database index: at most three, in addition to those
    that count the rows of filters.
    """
    resolves, text = after or (None, "")
    tags: list[UsedTag] = []
    if resolves != 0:
        used = filter_by_tags(RecentUsage.objects.order_by("-resolves", "text"), "tag", filters)
        ranges = (
            [used]
            if resolves is None
            else [used.filter(resolves=resolves, text__gt=text), used.filter(resolves__lt=resolves)]
        )
        for rows in ranges:
            values = rows.values_list("resolves", "text", "tag")[: limit - len(tags)]
            tags += map(UsedTag._make, values)
        text = ""
    if len(tags) < limit:
        usage = RecentUsage.objects.filter(tag=OuterRef("pk")).values("tag")[:1]
        unused = matches.filter(IsNull(Subquery(usage), True), text__gt=text).order_by("text")
        others = unused.values_list("text", "pk")[: limit - len(tags)]
        tags += (UsedTag(0, *other) for other in others)
    return tags
