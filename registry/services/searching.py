"""Search: tags by name, facts and attributes, in pages, with how many there are of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.functions import Length

from registry.domain.conditions import Condition
from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.near import nearest
from registry.models import Attribute, Entry, Namespace, Status
from registry.models.index import MAX_NAME, EntryQuerySet
from registry.services import kinds, spelling
from registry.services.deadlines import within

PAGE = 50  # rows of a list
MAX_MATCHES = 2_000  # names that a text search ranks; nobody reads that far
MAX_VALUES = 20  # of a facet, the most frequent
MAX_GROUPS = 5_000  # combinations of facts that facets are counted from
SECONDS = 2.0  # that one search may take of the database

MIXIN = "mixin"  # what people call a tag without a kind
FACETS = ("namespace", "kind", "vendor", "arch", "family", "status")


@dataclass(frozen=True, slots=True)
class Question:
    """What tags are asked for; an empty text asks for nothing. `facts` are by facet."""

    text: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    where: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a facet, and how many of the tags found have it."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Found:
    """A page of entries, each with its newest version.

    `following` is the sort key of the last of them, None at the end. `total` counts all matches;
    with `is_capped` at least so many. `near` holds tags of like names where no name holds the text.
    """

    entries: tuple[Entry, ...]
    following: list[Any] | None
    total: int
    facets: Mapping[str, tuple[Value, ...]]
    is_capped: bool = False
    near: tuple[Entry, ...] = ()


def search(question: Question, *, after: Sequence[Any] | None = None) -> Found:
    """Tags that answer a question, the best matches first, without a text in order of names.

    At most nine queries. Raises `Refused`: FILTER_INVALID for facts that no tag can have,
    NAMESPACE_UNKNOWN, BUSY where it would take longer than 2 s.
    """
    check_facts(question.facts)
    with within(SECONDS):
        if question.text.strip():
            return _by_text(question, after)
        return _by_name(question, after)


def check_facts(facts: Mapping[str, str]) -> None:
    """Refuse a namespace, a kind or a status that there is not, and what no fact looks like."""
    for facet, value in facts.items():
        if not value.isprintable() or len(value) > MAX_NAME:
            expected = f"1 to {MAX_NAME} printable characters"
            message = f"{echo(value)} is no {facet}"
            fault = Fault("", Code.FILTER_INVALID, message, expected, echo(value))
            raise Refused(Code.FILTER_INVALID, f"{message}: {expected}.", faults=[fault])
        if facet == "namespace":
            _check_namespace(value)
        elif facet == "kind":
            known = [kind.name for kind in kinds.current().kinds.targets.values()]
            _check_one_of("kind", value, [*known, MIXIN])
        elif facet == "status":
            _check_one_of("status", value, Status.values)


def _check_namespace(name: str) -> None:
    if not Namespace.objects.filter(name=name).exists():
        known = Namespace.objects.order_by("name").values_list("name", flat=True)
        raise Refused(
            Code.NAMESPACE_UNKNOWN,
            f"There is no namespace {echo(name)}.",
            suggestions=nearest(name, known),
        )


def _check_one_of(facet: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        message = f"there is no {facet} {echo(value)}"
        near = nearest(value, known)
        fault = Fault(
            "", Code.FILTER_INVALID, message, "one of " + ", ".join(known), echo(value), near
        )
        raise Refused(Code.FILTER_INVALID, f"{message}.", faults=[fault], suggestions=near)


def _by_name(question: Question, after: Sequence[Any] | None) -> Found:
    found = _fitting(question)
    page = found.filter(text__gt=after[0]) if after else found
    rows = list(page.order_by("text").with_version()[: PAGE + 1])
    groups = list(
        found.order_by()
        .values_list("namespace", *FACETS[1:])
        .annotate(count=Count("pk"))
        .order_by("-count")[: MAX_GROUPS + 1]
    )
    names = Namespace.objects.in_bulk({group[0] for group in groups})
    named = [(names[group[0]].name, *group[1:]) for group in groups[:MAX_GROUPS]]
    return Found(
        entries=tuple(rows[:PAGE]),
        following=[rows[PAGE - 1].text] if len(rows) > PAGE else None,
        total=sum(group[-1] for group in named),
        facets=_facets(named),
        is_capped=len(groups) > MAX_GROUPS,
    )


def _by_text(question: Question, after: Sequence[Any] | None) -> Found:
    names = spelling.holding(question.text).filter(tag__entry__in=_fitting(question))
    facts = [f"tag__entry__{column}" for column in ("namespace__name", *FACETS[1:])]
    ordered_names = names.order_by(Length("folded"), "text").values_list("text", "tag", *facts)
    rows = list(ordered_names[: MAX_MATCHES + 1])
    best: dict[int, tuple[int, int, str]] = {}
    groups: dict[int, tuple[Any, ...]] = {}
    for name, tag, *known in rows[:MAX_MATCHES]:
        key = (spelling.rank(question.text, name), len(name), name)
        best[tag] = min(key, best.get(tag, key))
        groups[tag] = (*known, 1)
    ordered = sorted((key, tag) for tag, key in best.items())
    if after:
        ordered = [(key, tag) for key, tag in ordered if key > tuple(after)]
    shown = ordered[:PAGE]
    entries = Entry.objects.with_version().in_bulk([tag for _, tag in shown])
    return Found(
        entries=tuple(entries[tag] for _, tag in shown),
        following=list(shown[-1][0]) if len(ordered) > PAGE else None,
        total=len(best),
        facets=_facets(groups.values()),
        is_capped=len(rows) > MAX_MATCHES,
        near=() if best else _near(question.text),
    )


def _near(text: str) -> tuple[Entry, ...]:
    names = spelling.near(text)
    entries = {entry.text: entry for entry in Entry.objects.with_version().filter(text__in=names)}
    return tuple(entries[name] for name in names)


def _fitting(question: Question) -> EntryQuerySet:
    """Entries with these facts that meet every condition."""
    found = Entry.objects.all()
    for facet, value in question.facts.items():
        column = "namespace__name" if facet == "namespace" else facet
        found = found.filter(**{column: "" if (facet, value) == ("kind", MIXIN) else value})
    for condition in question.where:
        found = found.filter(pk__in=_meeting(condition).values("tag"))
    return found


def _meeting(condition: Condition) -> QuerySet[Attribute]:
    found = Attribute.objects.filter(name=condition.name)
    if condition.pointer:
        found = found.filter(pointer=condition.pointer)
    match condition.operator:
        case "=":
            return found.filter(text__in=condition.texts)
        case ">":
            return found.filter(number__gt=condition.number)
        case ">=":
            return found.filter(number__gte=condition.number)
        case "<":
            return found.filter(number__lt=condition.number)
        case _:
            return found.filter(number__lte=condition.number)


def _facets(groups: Iterable[tuple[Any, ...]]) -> dict[str, tuple[Value, ...]]:
    """Count each fact on its own; facts that are not known are no value."""
    counts: dict[str, Counter[str]] = {facet: Counter() for facet in FACETS}
    for *values, count in groups:
        for facet, value in zip(FACETS, values, strict=True):
            counts[facet][MIXIN if facet == "kind" and not value else value] += count
    return {
        facet: tuple(Value(value, count) for value, count in _most(counts[facet]) if value)[
            :MAX_VALUES
        ]
        for facet in FACETS
    }


def _most(counter: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))
