"""How many tags there are of each kind, vendor and so on, among all or among those found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import Count, Value as Constant

from registry.models import Entry, Namespace
from registry.models.search_index import EntryQuerySet

FACETS = ("namespace", "kind", "vendor", "arch", "family", "status")
MIXIN = "mixin"  # what people call a tag without a kind

MAX_VALUES = 20  # of a facet, the most frequent
MAX_GROUPS = 10_000  # combinations of facts that are counted

COLUMNS = ("namespace", *FACETS[1:])  # of a namespace its key: the index of facts has no names

Group = tuple[Any, ...]  # a value for each facet, and how many tags have all of them


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a facet, and how many of the tags found have it."""

    value: str
    count: int


def stored_value(facet: str, value: str) -> str:
    """A value as entries have it: a mixin has no kind."""
    return "" if (facet, value) == ("kind", MIXIN) else value


def count_groups(facts: Mapping[str, str]) -> tuple[list[Group], bool]:
    """The groups that have these facts, and whether there are more. Two queries.

    Counting all in the index of facts, from end to end, and leaving out most, is faster than
    looking up each of the many entries that a single fact can have.
    """
    every = Entry.objects.order_by().values_list(*COLUMNS).annotate(count=Count("*"))
    ordered = every.order_by("-count", *COLUMNS)
    groups, is_capped = _named(list(ordered[: MAX_GROUPS + 1]), MAX_GROUPS)
    wanted = [(FACETS.index(facet), stored_value(facet, value)) for facet, value in facts.items()]
    fitting = [group for group in groups if all(group[at] == value for at, value in wanted)]
    return fitting, is_capped


def sample_groups(found: Sequence[Entry] | EntryQuerySet, most: int) -> tuple[list[Group], bool]:
    """A group for each of so many entries, and whether there are more.

    One query, two for entries that are still to be found.
    """
    if isinstance(found, EntryQuerySet):
        return _named(list(found.values_list(*COLUMNS, Constant(1))[: most + 1]), most)
    facts = attrgetter("namespace_id", *COLUMNS[1:])
    return _named([(*facts(entry), 1) for entry in found], most)


def _named(groups: Sequence[Group], most: int) -> tuple[list[Group], bool]:
    names = Namespace.objects.in_bulk({group[0] for group in groups})
    named = [(names[group[0]].name, *group[1:]) for group in groups[:most]]
    return named, len(groups) > most


def count_facets(groups: Iterable[Group]) -> dict[str, tuple[Value, ...]]:
    """Count each fact on its own, the most frequent first; what is not known is no value."""
    counts: dict[str, Counter[str]] = {facet: Counter() for facet in FACETS}
    for *values, count in groups:
        for facet, value in zip(FACETS, values, strict=True):
            counts[facet][value] += count
    counts["kind"][MIXIN] = counts["kind"].pop("", 0)
    return {facet: _most(counts[facet]) for facet in FACETS}


def _most(counter: Counter[str]) -> tuple[Value, ...]:
    known = (Value(value, count) for value, count in counter.items() if value and count)
    ordered = sorted(known, key=lambda found: (-found.count, found.value))
    return tuple(ordered[:MAX_VALUES])
