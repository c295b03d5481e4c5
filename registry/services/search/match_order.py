"""Sorts the matches of a text, and counts their facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from registry.domain.comparable_facts import FactOrder
from registry.models import Entry
from registry.models.planner_hints import OneOf
from registry.services.search.facets import COLUMNS, Group, with_namespaces
from registry.services.search.fact_order import fact_keys
from registry.services.search.matching import Matches
from registry.services.search.orders import Sort
from registry.services.search.ranking import Candidate, Ranking, SortKey

Row = Mapping[str, Any]
RANKED = ("pk", "text", "version", "tag__recent_usage__resolves", "tag__is_family", "published")


def sort_matches(
    text: str, sort: Sort | FactOrder, matches: Matches
) -> tuple[list[Group], list[tuple[SortKey, int]]]:
    """Return a group for each matching tag, and the sorted tags with their sort keys.

    Two queries, and one more to sort by a fact.
    """
    entries = Entry.objects.filter(OneOf("pk", matches.tags)).order_by()
    if sort is Sort.PUBLISHED:
        entries = entries.filter(version__isnull=False)
    rows = list(entries.values(*RANKED, *COLUMNS))
    keys = _sort_keys(text, sort, matches, rows)
    groups: list[Group] = [(*(row[column] for column in COLUMNS), 1) for row in rows]
    return with_namespaces(groups), sorted((key, tag) for tag, key in keys.items())


def _sort_keys(
    text: str, sort: Sort | FactOrder, matches: Matches, rows: list[dict[str, Any]]
) -> Mapping[int, SortKey]:
    """Return the sort key of each row by the primary key of its tag."""
    if isinstance(sort, FactOrder):
        keys = fact_keys(sort, [row["pk"] for row in rows])
        return {tag: tuple(key) for tag, key in keys.items()}
    if sort is Sort.PUBLISHED:
        return {row["pk"]: (-row["version"],) for row in rows}
    if sort is Sort.USED:
        return {row["pk"]: (-_resolves(row), row["text"]) for row in rows}
    ranking = Ranking(text, matches.names, matches.words)
    return {row["pk"]: ranking.sort_key(_candidate(row, matches)) for row in rows}


def _candidate(row: Row, matches: Matches) -> Candidate:
    return Candidate(
        text=row["text"],
        status=row["status"],
        is_family=row["tag__is_family"],
        resolves=_resolves(row),
        published=row["published"],
        found=matches.tags[row["pk"]],
    )


def _resolves(row: Row) -> int:
    return row["tag__recent_usage__resolves"] or 0
