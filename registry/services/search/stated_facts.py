"""Reads and counts the hardware facts that tags state."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.lookups import IsNull

from registry.domain.search.comparable_facts import ComparableFact
from registry.models import Attribute
from registry.models.search_index import EntryQuerySet
from registry.services.search.facets import count_groups, split_groups


def stating(fact: ComparableFact) -> QuerySet[Attribute]:
    """Select the values of a fact, by the database index that has their order."""
    return Attribute.objects.filter(name=fact.option, pointer=fact.pointer, number__isnull=False)


def unstated(fact: ComparableFact, entries: EntryQuerySet) -> EntryQuerySet:
    """Return the entries of tags that do not state a fact."""
    numbers = stating(fact).filter(tag=OuterRef("pk")).order_by().values("number")[:1]
    return entries.filter(IsNull(Subquery(numbers), True))


def count_stating(fact: ComparableFact, facts: Mapping[str, str]) -> int:
    """Return how many tags of a list with these facts state a comparable fact. One query."""
    groups, _ = count_groups(facts, fact.pointer)
    listed, _ = split_groups(groups, facts)
    return sum(group[-1] for group in listed)
