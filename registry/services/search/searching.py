"""Search: tags by name, facts and attributes, in pages, with how many there are of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import TextChoices
from django.db.models.functions import Length

from registry.domain.conditions import Condition
from registry.models import Entry, Status
from registry.models.index import EntryQuerySet
from registry.services.search import ranking, spelling
from registry.services.search.deadlines import within
from registry.services.search.facets import FACETS, Group, Value, counted, facets, sampled
from registry.services.search.narrowing import among, check_facts, having, meeting
from registry.services.search.ranking import SortKey

PAGE = 50  # rows of a list
MAX_MATCHES = 1_000  # names that a text search ranks; nobody reads that far
MAX_LOOKUPS = 5_000  # tags, times conditions, that facets are counted from
SECONDS = 2.0  # that one search may take of the database


class Sort(TextChoices):
    """In which order tags are wanted."""

    BEST = "best"  # match of the text; without one, in order of names
    PUBLISHED = "published"  # the latest newest version first; what has none is left out


@dataclass(frozen=True, slots=True)
class Question:
    """What tags are asked for; an empty text asks for nothing. `facts` are by facet."""

    text: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    where: tuple[Condition, ...] = ()
    sort: Sort = Sort.BEST


@dataclass(frozen=True, slots=True)
class Found:
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


def search(question: Question, *, after: Sequence[Any] | None = None) -> Found:
    """Tags that answer a question, in the order that it asks for.

    The number of queries depends on what is asked, not on what is found. Raises `Refused`:
    FILTER_INVALID for facts that no tag can have, NAMESPACE_UNKNOWN, BUSY where it would take
    longer than 2 s.
    """
    check_facts(question.facts)
    with within(SECONDS):
        if question.text.strip():
            return _by_text(question, after)
        return _by_name(question, after)


def _by_name(question: Question, after: Sequence[Any] | None) -> Found:
    found = _fitting(question)
    if question.sort is Sort.PUBLISHED:  # keys of versions follow their dates
        found = found.filter(version__isnull=False)
        column, page = "version_id", found.order_by("-version_id")
        page = page.filter(version__lt=after[0]) if after else page
    else:
        column, page = "text", found.order_by("text")
        page = page.filter(text__gt=after[0]) if after else page
    rows = list(page.with_version()[: PAGE + 1])
    if question.where and not after and len(rows) <= PAGE:  # these are all
        groups, is_capped = sampled(rows, PAGE)
    elif question.where:
        groups, is_capped = sampled(found.order_by("pk"), MAX_LOOKUPS // len(question.where))
    else:
        groups, is_capped = counted(question.facts)
    if question.sort is Sort.PUBLISHED:
        groups = [group for group in groups if group[FACETS.index("status")] != Status.YANKED]
    return Found(
        entries=tuple(rows[:PAGE]),
        following=[getattr(rows[PAGE - 1], column)] if len(rows) > PAGE else None,
        total=sum(group[-1] for group in groups),
        facets=facets(groups),
        is_capped=is_capped,
    )


def _fitting(question: Question) -> EntryQuerySet:
    """Entries with these facts that meet every condition."""
    return among(having(question.facts), "pk", map(meeting, question.where))


def _by_text(question: Question, after: Sequence[Any] | None) -> Found:
    names = spelling.holding(question.text)
    if not names.query.is_empty():
        facts = [having(question.facts)] if question.facts else []
        names = among(names, "tag", [*facts, *map(meeting, question.where)])
    shortest = names.order_by(Length("folded"), "text").values_list("text", "tag")
    rows = list(shortest[: MAX_MATCHES + 1])
    groups, ordered = _ordered(question, rows[:MAX_MATCHES])
    left = [match for match in ordered if match[0] > tuple(after)] if after else ordered
    shown = left[:PAGE]
    entries = Entry.objects.with_version().in_bulk([tag for _, tag in shown])
    return Found(
        entries=tuple(entries[tag] for _, tag in shown),
        following=list(shown[-1][0]) if len(left) > PAGE else None,
        total=len(ordered),
        facets=facets(groups),
        is_capped=len(rows) > MAX_MATCHES,
        near=() if ordered else _near(question),
    )


def _ordered(
    question: Question, rows: Sequence[tuple[str, int]]
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


def _near(question: Question) -> tuple[Entry, ...]:
    """Tags of like names, of those that fit otherwise."""
    names = spelling.near(question.text)
    if not names:
        return ()
    found = _fitting(question).filter(text__in=names).with_version()
    return tuple(sorted(found, key=lambda entry: names.index(entry.text)))
