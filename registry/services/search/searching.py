"""Search: tags by name, facts and attributes, in pages, with how many there are of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import TextChoices
from django.db.models.functions import Length

from registry.domain.conditions import Condition
from registry.models import Entry, Status
from registry.models.search_index import EntryQuerySet
from registry.services.search import name_index, ranking
from registry.services.search.deadlines import time_limit
from registry.services.search.facets import (
    FACETS,
    Group,
    Value,
    count_facets,
    count_groups,
    sample_groups,
)
from registry.services.search.filters import (
    attributes_matching,
    check_facts,
    entries_with_facts,
    filter_by_tags,
)
from registry.services.search.ranking import SortKey

PAGE_SIZE = 50  # rows of a list
MAX_MATCHES = 1_000  # names that a text search ranks; nobody reads that far
MAX_LOOKUPS = 5_000  # tags, times conditions, that facets are counted from
MAX_SECONDS = 2.0  # that one search may take of the database


class Sort(TextChoices):
    """In which order tags are wanted."""

    BEST = "best"  # match of the text; without one, in order of names
    PUBLISHED = "published"  # the latest newest version first; what has none is left out


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What tags are asked for; an empty text asks for nothing. `facts` are by facet."""

    text: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    where: tuple[Condition, ...] = ()
    sort: Sort = Sort.BEST


@dataclass(frozen=True, slots=True)
class SearchResults:
    """A page of entries, each with its newest version.

    `following` is the sort key of the last of them, None at the end. `total` counts all matches,
    and so do the facets; with `is_capped` there are more, which are not counted. `near` holds tags
    of like names, with the same facts and attributes, where no name holds the text.
    """

    entries: tuple[Entry, ...]
    following: list[Any] | None
    total: int
    facets: Mapping[str, tuple[Value, ...]]
    is_capped: bool = False
    near: tuple[Entry, ...] = ()


def search(question: SearchQuery, *, after: Sequence[Any] | None = None) -> SearchResults:
    """Tags that answer a question, in the order that it asks for.

    The number of queries depends on what is asked, not on what is found. Raises `Refused`:
    FILTER_INVALID for facts that no tag can have, NAMESPACE_UNKNOWN, BUSY where it would take
    longer than 2 s.
    """
    check_facts(question.facts)
    with time_limit(MAX_SECONDS):
        if question.text.strip():
            return _by_text(question, after)
        return _by_name(question, after)


def _by_name(question: SearchQuery, after: Sequence[Any] | None) -> SearchResults:
    found = _fitting(question)
    if question.sort is Sort.PUBLISHED:  # keys of versions follow their dates
        found = found.filter(version__isnull=False)
        column, page = "version_id", found.order_by("-version_id")
        page = page.filter(version__lt=after[0]) if after else page
    else:
        column, page = "text", found.order_by("text")
        page = page.filter(text__gt=after[0]) if after else page
    rows = list(page.with_version()[: PAGE_SIZE + 1])
    if question.where and not after and len(rows) <= PAGE_SIZE:  # these are all
        groups, is_capped = sample_groups(rows, PAGE_SIZE)
    elif question.where:
        groups, is_capped = sample_groups(found.order_by("pk"), MAX_LOOKUPS // len(question.where))
    else:
        groups, is_capped = count_groups(question.facts)
    if question.sort is Sort.PUBLISHED:
        groups = [group for group in groups if group[FACETS.index("status")] != Status.YANKED]
    return SearchResults(
        entries=tuple(rows[:PAGE_SIZE]),
        following=[getattr(rows[PAGE_SIZE - 1], column)] if len(rows) > PAGE_SIZE else None,
        total=sum(group[-1] for group in groups),
        facets=count_facets(groups),
        is_capped=is_capped,
    )


def _fitting(question: SearchQuery) -> EntryQuerySet:
    """Entries with these facts that meet every condition."""
    return filter_by_tags(
        entries_with_facts(question.facts), "pk", map(attributes_matching, question.where)
    )


def _by_text(question: SearchQuery, after: Sequence[Any] | None) -> SearchResults:
    names = name_index.names_containing(question.text)
    if not names.query.is_empty():
        facts = [entries_with_facts(question.facts)] if question.facts else []
        names = filter_by_tags(names, "tag", [*facts, *map(attributes_matching, question.where)])
    shortest = names.order_by(Length("folded"), "text").values_list("text", "tag")
    rows = list(shortest[: MAX_MATCHES + 1])
    groups, ordered = _ordered(question, rows[:MAX_MATCHES])
    left = [match for match in ordered if match[0] > tuple(after)] if after else ordered
    shown = left[:PAGE_SIZE]
    entries = Entry.objects.with_version().in_bulk([tag for _, tag in shown])
    return SearchResults(
        entries=tuple(entries[tag] for _, tag in shown),
        following=list(shown[-1][0]) if len(left) > PAGE_SIZE else None,
        total=len(ordered),
        facets=count_facets(groups),
        is_capped=len(rows) > MAX_MATCHES,
        near=() if ordered else _near(question),
    )


def _ordered(
    question: SearchQuery, rows: Sequence[tuple[str, int]]
) -> tuple[list[Group], list[tuple[SortKey, int]]]:
    """A group for each tag that names belong to, and the tags with the keys of their order."""
    columns = ("pk", "version", "namespace__name", *FACETS[1:])
    found = Entry.objects.filter(pk__in={tag for _, tag in rows}).values_list(*columns)
    if question.sort is Sort.PUBLISHED:
        found = found.filter(version__isnull=False)
    facts = {pk: (version, group) for pk, version, *group in found}
    keys: dict[int, SortKey]
    if question.sort is Sort.PUBLISHED:
        keys = {pk: (-version,) for pk, (version, _) in facts.items()}
    else:
        keys = ranking.rank_tags(
            question.text, rows, {pk: group[-1] for pk, (_, group) in facts.items()}
        )
    return [(*group, 1) for _, group in facts.values()], sorted(
        (key, tag) for tag, key in keys.items()
    )


def _near(question: SearchQuery) -> tuple[Entry, ...]:
    """Tags of like names, of those that fit otherwise."""
    names = name_index.similar_tags(question.text)
    if not names:
        return ()
    found = _fitting(question).filter(text__in=names).with_version()
    return tuple(sorted(found, key=lambda entry: names.index(entry.text)))
