"""Lists the tags with given facts and attributes, in any order, with facet counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from registry.domain.search.comparable_facts import FactOrder
from registry.models import Entry, Status
from registry.models.planner_hints import OneOf
from registry.models.search_index import EntryQuerySet
from registry.services.core.paging import Page, paginate
from registry.services.search import facets
from registry.services.search.facets import Group
from registry.services.search.filters import (
    MAX_COUNTED,
    CountedFilter,
    attributes_matching,
    check_each,
    count_filters,
    entries_with_facts,
    filter_by_tags,
)
from registry.services.search.orders import (
    KeyedTag,
    Sort,
    in_fact_order,
    machines_first,
    most_used,
    unstated,
)
from registry.services.search.search_query import SearchQuery, SearchResults

MAX_LOOKUPS = 5_000  # tags times conditions from which facets are counted


def list_page(query: SearchQuery, after: Sequence[Any] | None) -> Page[Entry]:
    """Return a page of a list, without counts."""
    conditions = counted_conditions(query)
    return _read_page(query, _listed_entries(query, conditions), conditions, after)


def _listed_entries(query: SearchQuery, conditions: Sequence[CountedFilter]) -> EntryQuerySet:
    """Return the entries that a list has; one by date leaves out tags without a version."""
    matches = matching_entries(query, conditions)
    return matches.filter(version__isnull=False) if query.sort is Sort.PUBLISHED else matches


def list_by_facts(query: SearchQuery, after: Sequence[Any] | None) -> SearchResults:
    conditions = counted_conditions(query)
    matches = _listed_entries(query, conditions)
    page = _read_page(query, matches, conditions, after)
    tags: list[int] | None = None
    if not conditions:
        groups, is_capped = facets.count_groups(query.facts)
    else:
        is_only_page = not after and page.next_key is None
        tags, is_capped = [entry.pk for entry in page.rows], False
        if not is_only_page:
            tags, is_capped = _examined(query, conditions, page.rows)
        groups = facets.group_entries(page.rows) if is_only_page else facets.group_tags(tags)
    if query.sort is Sort.PUBLISHED:
        place = facets.FACETS.index(facets.STATUS)
        groups = [group for group in groups if group[place] != Status.YANKED]
    groups, hidden = facets.split_groups(groups, query.facts)
    return SearchResults(
        entries=page.rows,
        next_key=page.next_key,
        total=facets.count_tags(groups),
        counts=facets.count_facets(groups, hidden),
        is_capped=is_capped,
        unstated=_count_unstated(query, tags, groups),
    )


# Decision 162: finding all matches of a list may take long; finding those among some rows does not.
def _examined(
    query: SearchQuery, conditions: Sequence[CountedFilter], page: Iterable[Entry]
) -> tuple[list[int], bool]:
    """Return the tags that are counted of a list, and whether there are more.

    They are among the first rows of the rarest condition, in the order of its index. If most of
    these belong to other tags, more are read; if they still are too many, the tags may be fewer
    than the page has, which are counted too. One query, or two.
    """
    rarest, *others = conditions
    limit = MAX_LOOKUPS // len(conditions)
    for most in (min(2 * limit, MAX_COUNTED), MAX_COUNTED):
        first = rarest.rows.order_by().values("tag")[:most]
        matches = check_each(_listed_entries(query, ()).filter(pk__in=first), "pk", others)
        tags = list(matches.order_by("pk").values_list("pk", flat=True)[: limit + 1])
        if len(tags) > limit:
            return tags[:limit], True
        if rarest.total < most:
            return tags, False
    return list({*tags, *(entry.pk for entry in page)}), True


def _count_unstated(
    query: SearchQuery, tags: Collection[int] | None, groups: Iterable[Group]
) -> int | None:
    """Return how many tags of some groups do not state the fact of the order.

    `tags` are their primary keys, None for all tags with the facts of the search.
    """
    if not isinstance(query.sort, FactOrder):
        return None
    if tags is not None:
        return unstated(query.sort.fact, Entry.objects.filter(OneOf("pk", tags))).count()
    with_fact, _ = facets.count_groups(query.facts, query.sort.fact.pointer)
    return facets.count_tags(groups) - facets.count_tags(
        facets.split_groups(with_fact, query.facts)[0]
    )


def _read_page(
    query: SearchQuery,
    matches: EntryQuerySet,
    conditions: Sequence[CountedFilter],
    after: Sequence[Any] | None,
) -> Page[Entry]:
    """Return a page of entries, in the order of the search."""
    if isinstance(query.sort, FactOrder):
        tags = in_fact_order(
            query.sort,
            _with_facts(query, conditions),
            matches,
            query.facts,
            after=after,
            limit=query.page_size + 1,
        )
        return _load_page(query, tags)
    if query.sort is Sort.USED:
        filters = _with_facts(query, conditions)
        tags = most_used(filters, matches, query.facts, after, query.page_size + 1)
        return _load_page(query, tags)
    columns: tuple[str, ...] = ("text",)
    if query.sort is Sort.MACHINES:
        columns = ("place", "text")
        ordered = machines_first(_with_facts(query, conditions), query.facts, after)
    elif query.sort is Sort.PUBLISHED:  # primary keys of versions follow their dates
        columns = ("version_id",)
        rows = matches.filter(version__lt=after[0]) if after else matches
        ordered = rows.order_by("-version_id")
    else:
        rows = matches.filter(text__gt=after[0]) if after else matches
        ordered = rows.order_by("text")
    if not conditions and not (query.facts and query.sort is Sort.MACHINES):  # by an index
        rows = ordered.with_version()
        return paginate(
            rows, lambda entry: [getattr(entry, name) for name in columns], limit=query.page_size
        )
    keys = ordered.values_list(*columns, "pk")[: query.page_size + 1]  # sorting rows takes longer
    return _load_page(query, [(key, tag) for *key, tag in keys])


def _load_page(query: SearchQuery, tags: Sequence[KeyedTag]) -> Page[Entry]:
    """Return a page of tags with sort keys, of which there is one more if it is not the last."""
    page = paginate(tags, lambda tag: tag[0], limit=query.page_size)
    entries = Entry.objects.with_version().in_bulk([tag for _, tag in page.rows])
    return Page(tuple(entries[tag] for _, tag in page.rows), page.next_key)


def matching_entries(query: SearchQuery, conditions: Sequence[CountedFilter]) -> EntryQuerySet:
    """Return the entries that have all facts and meet every condition."""
    return filter_by_tags(entries_with_facts(query.facts), "pk", conditions)


def counted_conditions(query: SearchQuery) -> list[CountedFilter]:
    """Return the conditions as rows with a column `tag`. A query for each."""
    return count_filters(map(attributes_matching, query.where))


def _with_facts(query: SearchQuery, conditions: Sequence[CountedFilter]) -> list[CountedFilter]:
    """Return the facts and the conditions as rows with a column `tag`. One query for facts."""
    return sorted([*_facts(query.facts), *conditions], key=attrgetter("total"))


def _facts(facts: Mapping[str, str]) -> list[CountedFilter]:
    """Return the facts as rows with a column `tag`, if there are any. One query."""
    if not facts:
        return []
    groups, _ = facets.split_groups(facets.count_groups(facts)[0], facts)
    return [CountedFilter(facets.count_tags(groups), entries_with_facts(facts))]
