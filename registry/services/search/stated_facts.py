"""Reads and counts the hardware facts that tags state."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.lookups import IsNull

from registry.domain.search.comparable_facts import ComparableFact
from registry.models import Attribute
from registry.models.search_index import EntryQuerySet
from registry.services.core.memory_cache import cache
from registry.services.event_log.appending import last_event_number
from registry.services.search.facets import (
    COLUMNS,
    MAX_GROUPS,
    Group,
    groups_with_facts,
    split_groups,
    with_namespaces,
)


def stating(fact: ComparableFact) -> QuerySet[Attribute]:
    """Select the values of a fact, by the database index that has their order."""
    return Attribute.objects.filter(name=fact.option, pointer=fact.pointer, number__isnull=False)


def unstated(fact: ComparableFact, entries: EntryQuerySet) -> EntryQuerySet:
    """Return the entries of tags that do not state a fact."""
    numbers = stating(fact).filter(tag=OuterRef("pk")).order_by().values("number")[:1]
    return entries.filter(IsNull(Subquery(numbers), True))


def count_stating(fact: ComparableFact, facts: Mapping[str, str]) -> int:
    """Return how many tags of a list with these facts state a comparable fact.

    One query; three after a write, as for `facets.count_groups`.
    """
    key = (__name__, fact.name, last_event_number())
    groups = cache.get_or_compute(key, lambda: _count_groups(fact))
    listed, _ = split_groups(groups_with_facts(groups, facts), facts)
    return sum(group[-1] for group in listed)


def _count_groups(fact: ComparableFact) -> list[Group]:
    columns = [f"tag__entry__{column}" for column in COLUMNS]
    counts = stating(fact).order_by().values_list(*columns).annotate(count=Count("*"))
    return with_namespaces(list(counts.order_by("-count", *columns)[:MAX_GROUPS]))
