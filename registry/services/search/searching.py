"""Searches tags by name, facts and attributes, with pages and facet counts.

A text is looked up in the index, a part number as its chip. Unless the best result has that name,
the machine that is called so is looked up instead: by its other names or, if nothing was found, by
what a shop calls a card. A product that is known to be absent finds nothing, with the reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from registry.domain.names.machine_names import OneTag, is_own_name, tags_named_after
from registry.domain.search.comparable_facts import FactOrder
from registry.domain.search.conditions import Condition
from registry.domain.search.missing_products import MissingProduct
from registry.domain.search.part_numbers import chip_of
from registry.domain.search.query_words import plain_query
from registry.models import Entry, Status
from registry.models.planner_hints import OneOf
from registry.models.search_index import EntryQuerySet
from registry.services.core import shipped_facts
from registry.services.core.paging import Page, paginate
from registry.services.search.absent_products import known_missing, missing_from
from registry.services.search.deadlines import time_limit
from registry.services.search.facets import (
    ANY,
    FACETS,
    STATUS,
    FacetValue,
    Group,
    count_facets,
    count_groups,
    group_entries,
    group_tags,
    split_groups,
)
from registry.services.search.filters import (
    MAX_COUNTED,
    CountedFilter,
    attributes_matching,
    check_each,
    check_facts,
    check_values,
    count_filters,
    entries_with_facts,
    filter_by_tags,
)
from registry.services.search.match_reasons import find_reasons
from registry.services.search.matching import find_matches
from registry.services.search.nearest import find_nearest
from registry.services.search.number_answers import rows_stating
from registry.services.search.orders import KeyedTag, Sort, in_fact_order, machines_first, most_used
from registry.services.search.query_reading import read_query
from registry.services.search.ranking import count_unstated, sort_matches
from registry.services.search.series import find_members
from registry.services.search.shop_names import card_query
from registry.services.search.stated_facts import count_stating, unstated
from registry.services.search.successors import add_successors

PAGE_SIZE = 50  # rows of a list, unless a limit is given
MAX_MATCHES = 500  # tags that a text search ranks
MAX_LOOKUPS = 5_000  # tags times conditions from which facets are counted


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A search for tags; an empty text matches all tags. `facts` are keyed by facet.

    Deprecated tags are left out unless the facts state a status. A text finds them by their whole
    name, or if nothing else matches.
    """

    text: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    where: tuple[Condition, ...] = ()
    sort: Sort | FactOrder = Sort.BEST
    limit: int | None = None
    is_typed: bool = False  # the last word may be the beginning of any other

    @property
    def page_size(self) -> int:
        """Return the number of tags on a page."""
        return self.limit or PAGE_SIZE


@dataclass(frozen=True, slots=True)
class SearchResults:
    """A page of entries with their newest versions.

    `next_key` is the sort key of the last entry, None on the last page. `total` and the facets
    count all matches, or at least that many if `is_capped`. All have every deciding word of the
    text, or names that begin with `beginning`. `missing` are products that the catalogue is known
    not to have, `nearest` other machines with the same facts and attributes, `ignored` the words
    that no tag has, and versions of toolkits. `unstated` counts the matches that do not state the
    fact of the order, if it is one by a fact.
    """

    entries: tuple[Entry, ...]
    next_key: list[Any] | None
    total: int
    facets: Mapping[str, tuple[FacetValue, ...]]
    is_capped: bool = False
    nearest: tuple[Entry, ...] = ()
    missing: tuple[MissingProduct, ...] = ()
    ignored: tuple[str, ...] = ()
    beginning: str = ""
    unstated: int | None = None

    @property
    def similar(self) -> tuple[Entry, ...]:
        """Return other machines if none is the one that was searched for."""
        return () if self.entries else self.nearest


def search(query: SearchQuery, *, after: Sequence[Any] | None = None) -> SearchResults:
    """Return the tags that match a search, in its order.

    The number of queries depends on the search, not on the results. Raises `Refused`:
    FILTER_INVALID for facts that no tag has, NAMESPACE_UNKNOWN, and BUSY after 2 s.
    """
    check_facts(query.facts)
    shipped_facts.machine_names()  # reading them takes longer than a search, once in a process
    with time_limit():
        by_text = query.text.strip()
        results = (_search_by_text if by_text else _search_by_facts)(query, after)
        if not results.total:
            check_values(query.facts, query.where)
        add_successors(results.entries)
    return results


def batches(query: SearchQuery, limit: int) -> Iterator[tuple[Entry, ...]]:
    """Yield the first tags that match a search, in its order, some hundred at a time.

    Raises `Refused` as `search` does, which limits the time of each batch.
    """
    check_facts(query.facts)
    query = replace(query, limit=MAX_MATCHES)
    after: Sequence[Any] | None = None
    while limit > 0:
        with time_limit():
            page = _batch(query, after)
            if not page.rows:
                check_values(query.facts, query.where)
        yield page.rows[:limit]
        limit, after = limit - len(page.rows), page.next_key
        if after is None:
            return


def newest_digests(query: SearchQuery, after: str, limit: int) -> list[tuple[str, str]]:
    """Return the first tags after one that match filters, by name, with their newest digests.

    Tags without a version are left out. One query, if there are any. Raises `Refused` as `search`
    does.
    """
    check_facts(query.facts)
    with time_limit():
        rows = _matching_entries(query, _conditions(query))
        rows = rows.filter(version__isnull=False, text__gt=after)
        names = list(rows.order_by("text").values_list("text", "version__digest")[:limit])
        if not names:
            check_values(query.facts, query.where)
        return names


def _batch(query: SearchQuery, after: Sequence[Any] | None) -> Page[Entry]:
    """Return a page of a search without counts."""
    if query.text.strip():
        results = _search_by_text(query, after)
        return Page(results.entries, results.next_key)
    conditions = _conditions(query)
    return _read_page(query, _listed_entries(query, conditions), conditions, after)


def _listed_entries(query: SearchQuery, conditions: Sequence[CountedFilter]) -> EntryQuerySet:
    """Return the entries that a list has; one by date leaves out tags without a version."""
    matches = _matching_entries(query, conditions)
    return matches.filter(version__isnull=False) if query.sort is Sort.PUBLISHED else matches


def _search_by_facts(query: SearchQuery, after: Sequence[Any] | None) -> SearchResults:
    conditions = _conditions(query)
    matches = _listed_entries(query, conditions)
    page = _read_page(query, matches, conditions, after)
    tags: list[int] | None = None
    if not conditions:
        groups, is_capped = count_groups(query.facts)
    else:
        is_only_page = not after and page.next_key is None
        tags, is_capped = [entry.pk for entry in page.rows], False
        if not is_only_page:
            tags, is_capped = _examined(query, conditions, page.rows)
        groups = group_entries(page.rows) if is_only_page else group_tags(tags)
    if query.sort is Sort.PUBLISHED:
        groups = [group for group in groups if group[FACETS.index(STATUS)] != Status.YANKED]
    groups, hidden = split_groups(groups, query.facts)
    return SearchResults(
        entries=page.rows,
        next_key=page.next_key,
        total=sum(group[-1] for group in groups),
        facets=count_facets(groups, hidden),
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
    total: int = sum(group[-1] for group in groups)
    return total - count_stating(query.sort.fact, query.facts)


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


def _matching_entries(query: SearchQuery, conditions: Sequence[CountedFilter]) -> EntryQuerySet:
    """Return the entries that have all facts and meet every condition."""
    return filter_by_tags(entries_with_facts(query.facts), "pk", conditions)


def _conditions(query: SearchQuery) -> list[CountedFilter]:
    """Return the conditions as rows with a column `tag`. A query for each."""
    return count_filters(map(attributes_matching, query.where))


def _with_facts(query: SearchQuery, conditions: Sequence[CountedFilter]) -> list[CountedFilter]:
    """Return the facts and the conditions as rows with a column `tag`. One query for facts."""
    return sorted([*_facts(query.facts), *conditions], key=attrgetter("total"))


def _facts(facts: Mapping[str, str]) -> list[CountedFilter]:
    """Return the facts as rows with a column `tag`, if there are any. One query."""
    if not facts:
        return []
    groups, _ = split_groups(count_groups(facts)[0], facts)
    return [CountedFilter(sum(group[-1] for group in groups), entries_with_facts(facts))]


# Decision 188: a table of names may not hide the tag that has the name.
def _search_by_text(query: SearchQuery, after: Sequence[Any] | None) -> SearchResults:
    """Return the matches of a text; what else it is known to stand for comes first, or is no tag.

    Tags whose own name it is are results whatever others are called so: m3 is a chip of Apple, and
    a phone to Android.
    """
    query = replace(query, text=plain_query(query.text))
    if chip := chip_of(query.text):
        return _matches_of_text(replace(query, text=chip), after)
    results = _matches_of_text(query, after)
    meaning = tags_named_after(query.text, shipped_facts.machine_names())
    product = known_missing(query.text, meaning)
    card = "" if results.total else card_query(query.text, shipped_facts.machine_names())
    if not (product or card or isinstance(meaning, OneTag)):
        return results
    best = _first_page(query, results, after)
    if any(is_own_name(query.text, entry.text) for entry in best.entries):
        return replace(results, missing=(product,)) if product else results
    if product:
        return SearchResults((), None, 0, count_facets([], []), missing=(product,))
    first = next((entry.text for entry in best.entries), "")
    named = "" if first else card
    if isinstance(meaning, OneTag) and first not in (meaning.tag, *meaning.variants):
        named = meaning.tag
    if query.is_typed or not named:
        return results
    of_named = _matches_of_text(replace(query, text=named), after)
    best_named = _first_page(replace(query, text=named), of_named, after)
    says_more = best_named.entries or (best_named.nearest and not best.entries)
    return of_named if says_more else results


# Filters, orders and pages show some of the tags that a text means; they do not change which.
def _first_page(
    query: SearchQuery, results: SearchResults, after: Sequence[Any] | None
) -> SearchResults:
    """Return the first results of a text alone, the best first; `results` if they are that."""
    plain = _text_alone(query)
    is_first_page = not after and replace(query, limit=None) == plain
    return results if is_first_page else _matches_of_text(plain, None)


def _text_alone(query: SearchQuery) -> SearchQuery:
    return SearchQuery(query.text, is_typed=query.is_typed)


def _matches_of_text(query: SearchQuery, after: Sequence[Any] | None) -> SearchResults:
    # Deprecated tags are matched too, because their names find them.
    any_status = replace(query, facts={STATUS: ANY, **query.facts} if query.facts else {})
    terms = read_query(query.text, completes_last=query.is_typed)
    facts = [entries_with_facts(any_status.facts)] if any_status.facts else []
    filters = (*facts, *map(attributes_matching, query.where))
    matches = find_matches(terms, filters, MAX_MATCHES)
    numbers = [number for number in terms.numbers if number.pointers]
    if matches.is_capped and numbers:  # of so many, those with the numbers may be the last
        stating = find_matches(terms, (*filters, *map(rows_stating, numbers)), MAX_MATCHES)
        matches = stating if stating.tags else matches
    ranked = sort_matches(
        *(terms, query.text, query.sort, query.facts, matches),
        finds_named=lambda: bool(filters) and _matches_of_text(_text_alone(query), None).total > 0,
    )
    remaining = (
        [match for match in ranked.tags if match[0] > tuple(after)] if after else ranked.tags
    )
    page = remaining[: query.page_size]
    entries = Entry.objects.with_version().in_bulk([tag for _, tag in page])
    for tag, reasons in find_reasons(entries.values(), matches.tags, matches.words).items():
        entries[tag].reasons = reasons
        entries[tag].unstated = ranked.exclusions.unstated.get(tag, ())
    is_found = bool(ranked.tags)
    unknown = "" if is_found or after else terms.unknown_number
    members = find_members(query.text, unknown)
    return SearchResults(
        entries=tuple(entries[tag] for _, tag in page),
        next_key=list(page[-1][0]) if len(remaining) > query.page_size else None,
        total=len(ranked.tags),
        facets=count_facets(ranked.groups, ranked.hidden),
        is_capped=matches.is_capped,
        nearest=()
        if after
        else find_nearest(
            query.text,
            terms,
            ranked,
            members,
            lambda: _matching_entries(query, _conditions(query)),
        ),
        missing=() if after else missing_from(query.text, members, unknown, is_found=is_found),
        ignored=matches.ignored,
        beginning=matches.beginning if ranked.tags else "",
        unstated=count_unstated(query.sort, [key for key, _ in ranked.tags]),
    )
