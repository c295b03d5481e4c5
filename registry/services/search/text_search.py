"""Searches tags by a text, which may be filtered and ordered.

A text is looked up in the index, a part number as its chip. Unless the best result has that name,
the machine that is called so is looked up instead: by its other names or, if nothing was found, by
what a shop calls a card. A product that is known to be absent finds nothing, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from registry.domain.names.machine_names import OneTag, is_own_name, tags_named_after
from registry.domain.search.part_numbers import chip_of
from registry.domain.search.query_words import plain_query
from registry.models import Entry
from registry.models.search_index import EntryQuerySet
from registry.services.core import shipped_facts
from registry.services.search.absent_products import known_missing, missing_from
from registry.services.search.facets import ANY, STATUS, count_facets
from registry.services.search.fact_lists import counted_conditions, matching_entries
from registry.services.search.filters import attributes_matching, entries_with_facts
from registry.services.search.match_reasons import find_reasons
from registry.services.search.matching import find_matches
from registry.services.search.nearest import find_nearest
from registry.services.search.number_answers import rows_stating
from registry.services.search.query_reading import read_query
from registry.services.search.ranking import count_unstated, sort_matches
from registry.services.search.search_query import SearchQuery, SearchResults
from registry.services.search.series import find_members
from registry.services.search.shop_names import card_query

MAX_MATCHES = 500  # tags that a text search ranks


# Decision 188: a table of names may not hide the tag that has the name.
def search_by_text(query: SearchQuery, after: Sequence[Any] | None) -> SearchResults:
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
        terms,
        query.text,
        query.sort,
        query.facts,
        matches,
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

    def select() -> EntryQuerySet:
        return matching_entries(query, counted_conditions(query))

    return SearchResults(
        entries=tuple(entries[tag] for _, tag in page),
        next_key=list(page[-1][0]) if len(remaining) > query.page_size else None,
        total=len(ranked.tags),
        counts=count_facets(ranked.groups, ranked.hidden),
        is_capped=matches.is_capped,
        nearest=() if after else find_nearest(query.text, terms, ranked, members, select),
        missing=() if after else missing_from(query.text, members, unknown, is_found=is_found),
        ignored=matches.ignored,
        unread=terms.unread,
        beginning=matches.beginning if ranked.tags else "",
        unstated=count_unstated(query.sort, [key for key, _ in ranked.tags]),
    )
