"""Search: tags by name, facts and attributes, in pages, with how many there are of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models.functions import Length

from registry.domain.conditions import Condition
from registry.models import Entry, Status
from registry.models.index import EntryQuerySet
from registry.services.search import spelling
from registry.services.search.deadlines import within
from registry.services.search.facets import FACETS, Group, Value, counted, facets, sampled
from registry.services.search.narrowing import among, check_facts, having, meeting

PAGE = 50  # rows of a list
MAX_MATCHES = 1_000  # names that a text search ranks; nobody reads that far
MAX_LOOKUPS = 5_000  # tags, times conditions, that facets are counted from
SECONDS = 2.0  # that one search may take of the database

STANDING = tuple(Status)  # of names that fit equally well, what is still kept up comes first

Key = tuple[int, int, int, str]  # by which matches of a text are ordered, the best first


@dataclass(frozen=True, slots=True)
class Question:
    """What tags are asked for; an empty text asks for nothing. `facts` are by facet."""

    text: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    where: tuple[Condition, ...] = ()


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
    """Tags that answer a question, the best matches first, without a text in order of names.

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
    page = found.filter(text__gt=after[0]) if after else found
    rows = list(page.order_by("text").with_version()[: PAGE + 1])
    if question.where and not after and len(rows) <= PAGE:  # these are all
        groups, is_capped = sampled(rows, PAGE)
    elif question.where:
        groups, is_capped = sampled(found.order_by("pk"), MAX_LOOKUPS // len(question.where))
    else:
        groups, is_capped = counted(question.facts)
    return Found(
        entries=tuple(rows[:PAGE]),
        following=[rows[PAGE - 1].text] if len(rows) > PAGE else None,
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
    groups, ordered = _ranked(question.text, rows[:MAX_MATCHES])
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


def _ranked(
    text: str, rows: Sequence[tuple[str, int]]
) -> tuple[list[Group], list[tuple[Key, int]]]:
    """A group for each tag that names belong to, and the tags in the order of their best name."""
    columns = ("pk", "namespace__name", *FACETS[1:])
    tags = {tag for _, tag in rows}
    facts = {pk: known for pk, *known in Entry.objects.filter(pk__in=tags).values_list(*columns)}
    rank = spelling.ranking(text)
    best: dict[int, Key] = {}
    for name, tag in rows:
        standing = STANDING.index(facts[tag][-1])
        key = (rank(name), standing, len(name), name)
        best[tag] = min(key, best.get(tag, key))
    ordered = sorted((key, tag) for tag, key in best.items())
    return [(*known, 1) for known in facts.values()], ordered


def _near(question: Question) -> tuple[Entry, ...]:
    """Tags of like names, of those that fit otherwise."""
    names = spelling.near(question.text)
    if not names:
        return ()
    found = _fitting(question).filter(text__in=names).with_version()
    return tuple(sorted(found, key=lambda entry: names.index(entry.text)))
