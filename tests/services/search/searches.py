"""Searches as the tests of this folder make them."""

from typing import Any

from registry.domain.search.conditions import parse_conditions
from registry.services.search import searching
from registry.services.search.orders import Sort
from registry.services.search.search_query import SearchQuery, SearchResults

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def search(text: str = "", *where: str, after: Any = None, **facts: Any) -> SearchResults:
    return searching.search(SearchQuery(text, facts, parse_conditions(where)), after=after)


def tags(results: SearchResults) -> list[str]:
    return [entry.text for entry in results.entries]


def all_tags(text: str = "", *where: str, **facts: str) -> list[str]:
    """Return the tags of all pages."""
    results = search(text, *where, **facts)
    names = tags(results)
    while results.next_key is not None:
        results = search(text, *where, after=results.next_key, **facts)
        names += tags(results)
    return names


def facet_counts(results: SearchResults, facet: str) -> dict[str, int]:
    return {value.value: value.count for value in results.facets[facet]}


def used(text: str = "", *where: str, after: Any = None, **facts: Any) -> SearchResults:
    query = SearchQuery(text, facts, parse_conditions(where), Sort.USED)
    return searching.search(query, after=after)
