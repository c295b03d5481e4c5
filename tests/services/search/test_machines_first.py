"""Lists with machines before chips, where few tags have the facts or many do."""

from typing import Any

import pytest
from django.db import connection

from registry.models import Entry, Status
from registry.services.search import filters, search_query, searching
from registry.services.search.filters import CountedFilter, entries_with_facts
from registry.services.search.orders import Sort, machines_first
from registry.services.search.search_query import SearchQuery

pytestmark = pytest.mark.django_db

FACTS = [
    {"namespace": "nvidia"},
    {"kind": "cuda"},
    {"vendor": "NVIDIA"},
    {"arch": "x86_64"},
    {"family": "Maxwell"},
    {"namespace": "arm", "kind": "llvm"},
    {"namespace": "nvidia", "status": "deprecated"},
    {"namespace": "nvidia", "status": "any"},
    {"kind": "mixin"},
]


def all_rows(**facts: Any) -> list[tuple[int, str]]:
    """Return place and name of the tags of all pages."""
    rows, after = list[tuple[int, str]](), None
    while True:
        results = searching.search(SearchQuery("", facts, (), Sort.MACHINES), after=after)
        rows += [(entry.place, entry.text) for entry in results.entries]
        if (after := results.next_key) is None:
            return rows


@pytest.mark.parametrize("facts", FACTS, ids=str)
@pytest.mark.parametrize("most", [0, filters.MAX_LEADING])
def test_pages_have_the_tags_with_the_facts_and_no_others(
    facts: dict[str, str], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filters, "MAX_LEADING", most)
    monkeypatch.setattr(search_query, "PAGE_SIZE", 7)
    expected = sorted(entries_with_facts(facts).values_list("place", "text"))
    assert all_rows(**facts) == expected
    if "status" not in facts:
        assert not Entry.objects.filter(
            text__in=[text for _, text in expected], status=Status.DEPRECATED
        ).exists()


@pytest.mark.parametrize("facet", ["namespace", "kind", "vendor", "arch", "family"])
def test_what_many_tags_have_is_read_in_its_order(facet: str) -> None:
    """Otherwise the tags of all other categories would be read first (decision 194)."""
    (facts,) = [each for each in FACTS if [*each] == [facet] and each != {"kind": "mixin"}]
    common = CountedFilter(filters.MAX_LEADING + 1, entries_with_facts(facts))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # by its estimates, a sort of so few is as cheap
            cursor.execute("SET LOCAL enable_sort = off")
        plan = machines_first([common], facts, None)[:51].explain()
    assert f"entry_machines_of_{facet}" in plan
