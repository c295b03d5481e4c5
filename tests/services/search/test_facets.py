"""Numbers of tags by the category of their hardware."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.search.conditions import parse_conditions
from registry.services.search.facets import CATEGORY_POINTER, count_categories
from registry.services.search.search_query import SearchQuery
from registry.services.search.searching import search
from tests.publishing import publish

pytestmark = pytest.mark.django_db


def test_counts_are_those_of_the_lists() -> None:
    counts = count_categories()
    assert counts
    for category, count in counts.items():
        results = search(SearchQuery(where=parse_conditions([f"{CATEGORY_POINTER}={category}"])))
        assert results.total == count


@pytest.mark.usefixtures("acme")
def test_only_the_machine_itself_counts() -> None:
    before = count_categories()
    host = {"kind": "llvm", "hardware": {"category": "phone"}}
    publish("acme/board", {"kind": "cuda", "host": host, "hardware": {"category": "npu"}})
    after = count_categories()
    assert after == before | {"npu": before.get("npu", 0) + 1}


def test_counting_takes_one_query() -> None:
    with CaptureQueriesContext(connection) as captured:
        count_categories()
    assert len(captured) == 1
