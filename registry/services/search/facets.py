"""Counts tags by namespace, kind, vendor, architecture, family and status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import Count

from registry.models import Entry, GroupTotal, Namespace, Status, ValueTotal
from registry.models.planner_hints import OneOf

FACETS = ("namespace", "kind", "vendor", "arch", "family", "status")
MIXIN = "mixin"  # the value of the kind facet for tags without a kind
STATUS = "status"
ANY = "any"  # the value of the status facet for all tags; without one, deprecated ones are hidden

CATEGORY = "category"  # of hardware: GPU, board, cloud instance
CATEGORY_POINTER = f"/hardware/{CATEGORY}"

MAX_VALUES = 20  # of a facet in a list, the most frequent
MAX_GROUPS = 10_000  # combinations of facts that are added up

COLUMNS = ("namespace", *FACETS[1:])  # namespaces by primary key, as in the database index

Group = tuple[Any, ...]  # a value for each facet, and the number of tags that have all of them


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a facet, and the number of matching tags that have it."""

    value: str
    count: int


def stored_value(facet: str, value: str) -> str:
    """Return a facet's value as entries store it: a mixin has an empty kind."""
    return "" if (facet, value) == ("kind", MIXIN) else value


# Decision 136: what another tag supersedes is found by name, and listed on request.
def is_listed(status: str, facts: Mapping[str, str]) -> bool:
    """Return whether a list with these facts has tags of a status."""
    wanted = facts.get(STATUS, "")
    return wanted in (ANY, status) or (not wanted and status != Status.DEPRECATED)


def split_groups(
    groups: Iterable[Group], facts: Mapping[str, str]
) -> tuple[list[Group], list[Group]]:
    """Return the groups of tags that a list with these facts has, and those hidden by default."""
    listed: list[Group] = []
    hidden: list[Group] = []
    for group in groups:
        is_shown = is_listed(group[FACETS.index(STATUS)], facts)
        (listed if is_shown else hidden).append(group)
    return listed, [] if STATUS in facts else hidden


def count_groups(facts: Mapping[str, str], stating: str = "") -> tuple[list[Group], bool]:
    """Return the groups with these facts, of any status, and whether there are too many.

    The largest groups come first. With the pointer of a comparable fact, they count the tags that
    state it. One query.
    """
    columns = {facet: stored_value(facet, facts[facet]) for facet in facts if facet != STATUS}
    rows = GroupTotal.objects.filter(fact=stating, **columns).order_by("-number", "pk")
    groups = list(rows.values_list(*FACETS, "number")[: MAX_GROUPS + 1])
    return groups[:MAX_GROUPS], len(groups) > MAX_GROUPS


def count_tags(groups: Iterable[Group]) -> int:
    """Return the number of tags in some groups."""
    return sum(group[-1] for group in groups)


def group_entries(entries: Iterable[Entry]) -> list[Group]:
    """Return a group for each entry. One query."""
    facts = attrgetter("namespace_id", *COLUMNS[1:])
    return with_namespaces([(*facts(entry), 1) for entry in entries])


def group_tags(tags: Collection[int]) -> list[Group]:
    """Return the groups of some tags, by primary key. Two queries."""
    rows = Entry.objects.filter(OneOf("pk", tags)).order_by().values_list(*COLUMNS)
    return with_namespaces(list(rows.annotate(count=Count("*"))))


def with_namespaces(groups: Sequence[Group]) -> list[Group]:
    """Return groups with the names of their namespaces, instead of primary keys. One query."""
    namespaces = Namespace.objects.in_bulk({group[0] for group in groups})
    return [(namespaces[group[0]].name, *group[1:]) for group in groups]


def count_facets(
    groups: Sequence[Group], hidden: Iterable[Group] = ()
) -> dict[str, tuple[FacetValue, ...]]:
    """Return the values of each facet, most frequent first, without empty values.

    `hidden` are groups that count for the status only.
    """
    *columns, numbers = zip(*groups, strict=True) if groups else ((),) * (len(FACETS) + 1)
    counts: dict[str, Counter[str]] = {facet: Counter() for facet in FACETS}
    for facet, values in zip(FACETS, columns, strict=True):
        counted = counts[facet]
        for value, number in zip(values, numbers, strict=True):
            counted[value] += number
    for group in hidden:
        counts[STATUS][group[FACETS.index(STATUS)]] += group[-1]
    counts["kind"][MIXIN] = counts["kind"].pop("", 0)
    return {facet: _ordered(counts[facet]) for facet in FACETS}


def _ordered(counter: Counter[str]) -> tuple[FacetValue, ...]:
    values = (FacetValue(value, count) for value, count in counter.items() if value and count)
    return tuple(sorted(values, key=lambda value: (-value.count, value.value)))


def count_categories() -> dict[str, int]:
    """Return the number of listed tags in each category that has any. One query."""
    rows = ValueTotal.objects.filter(option=CATEGORY_POINTER).order_by("text")
    return dict(rows.values_list("text", "number"))
