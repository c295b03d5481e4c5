"""Searches tags by name, facts and attributes, within a deadline."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from registry.models import Entry, Status, Tag
from registry.services.core import shipped_facts
from registry.services.search.deadlines import time_limit
from registry.services.search.fact_lists import (
    counted_conditions,
    list_by_facts,
    list_page,
    matching_entries,
)
from registry.services.search.filters import check_facts, check_values
from registry.services.search.search_query import SearchQuery, SearchResults
from registry.services.search.text_search import search_by_text

BATCH = 500  # tags


def search(query: SearchQuery, *, after: Sequence[Any] | None = None) -> SearchResults:
    """Return the tags that match a search, in its order.

    The number of queries depends on the search, not on the results. Raises `Refused`:
    FILTER_INVALID for facts that no tag has, NAMESPACE_UNKNOWN, and BUSY after 2 s.
    """
    check_facts(query.facts)
    shipped_facts.machine_names()  # reading them takes longer than a search, once in a process
    with time_limit():
        by_text = query.text.strip()
        results = (search_by_text if by_text else list_by_facts)(query, after)
        if not results.total:
            check_values(query.facts, query.where)
        _add_successors(results.entries)
    return results


def _add_successors(entries: Collection[Entry]) -> None:
    """Set `successor` of the deprecated ones among some entries. One query, if there are any."""
    deprecated = {entry.pk: entry for entry in entries if entry.status == Status.DEPRECATED}
    for tag in Tag.objects.with_deprecation().filter(pk__in=deprecated) if deprecated else ():
        deprecated[tag.pk].successor = tag.last_successor or ""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some of the tags that match a search, and the words that they need not have.

    `has_more` says whether other tags that match follow it, also behind the last batch.
    """

    entries: tuple[Entry, ...] = ()
    has_more: bool = False
    left_out: tuple[str, ...] = ()


def batches(query: SearchQuery, limit: int) -> Iterator[Batch]:
    """Yield the first tags that match a search, in its order, in batches.

    Raises `Refused` as `search` does, which limits the time of each batch.
    """
    check_facts(query.facts)
    query = replace(query, limit=BATCH)
    after: Sequence[Any] | None = None
    while limit > 0:
        with time_limit():
            batch, after = _batch(query, after)
            if not batch.entries:
                check_values(query.facts, query.where)
        has_more = batch.has_more or len(batch.entries) > limit
        yield replace(batch, entries=batch.entries[:limit], has_more=has_more)
        limit -= len(batch.entries)
        if after is None:
            return


def newest_digests(query: SearchQuery, after: str, limit: int) -> list[tuple[str, str]]:
    """Return the first tags after one that match filters, by name, with their newest digests.

    Tags without a version are left out. One query, if there are any. Raises `Refused` as `search`
    does.
    """
    check_facts(query.facts)
    with time_limit():
        rows = matching_entries(query, counted_conditions(query))
        rows = rows.filter(version__isnull=False, text__gt=after)
        names = list(rows.order_by("text").values_list("text", "version__digest")[:limit])
        if not names:
            check_values(query.facts, query.where)
        return names


def _batch(query: SearchQuery, after: Sequence[Any] | None) -> tuple[Batch, Sequence[Any] | None]:
    """Return a page of a search without counts, and the key after which the next one starts."""
    if query.text.strip():
        results = search_by_text(query, after)
        has_more = results.next_key is not None or results.is_capped
        return Batch(results.entries, has_more, results.left_out), results.next_key
    page = list_page(query, after)
    return Batch(page.rows, page.next_key is not None), page.next_key
