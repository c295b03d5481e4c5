"""Lists filtered and sorted by hardware facts."""

from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from registry.models import Attribute, Namespace
from registry.services.search import indexing, query_parameters, searching
from registry.services.search.search_query import SearchResults
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

GIB = 2**30


def card(name: str, cores: int = 1, **facts: Any) -> None:
    """Publish a target with hardware facts."""
    hardware = {"category": "gpu", "vendor": "Acme", "model": name, **facts}
    publish(f"acme/{name}", {"kind": "llvm", "num-cores": cores, "hardware": hardware})


@pytest.fixture
def cards(acme: Namespace) -> None:
    """Publish cards in a namespace, one of which states no memory."""
    assert acme.name == "acme"
    card("small", memory_bytes=4 * GIB, launched="2019", power_watts=75)
    card("large", memory_bytes=16 * GIB, launched="2022-10", power_watts=300)
    card("middle", memory_bytes=8 * GIB, launched="2022", power_watts=120)
    card("middle-too", memory_bytes=8 * GIB, launched="2023-01", power_watts=150, cores=2)
    card("unknown")


def search(query: str, after: Any = None) -> SearchResults:
    return searching.search(
        query_parameters.parse_query(QueryDict(f"namespace=acme&{query}")), after=after
    )


def names(query: str, after: Any = None) -> list[str]:
    return [entry.text.removeprefix("acme/") for entry in search(query, after).entries]


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("memory_min=8GiB", ["large", "middle", "middle-too"]),
        ("memory_min=5GiB&memory_max=8GiB", ["middle", "middle-too"]),
        ("year=2022", ["large", "middle"]),
        ("year_min=2022&power_max=150", ["middle", "middle-too"]),
        ("power_max=100&where=num-cores%3D1", ["small"]),
        ("sort=memory", ["large", "middle", "middle-too", "small", "unknown"]),
        ("sort=-memory", ["small", "middle", "middle-too", "large", "unknown"]),
        ("sort=memory&q=acme", ["large", "middle", "middle-too", "small", "unknown"]),
        ("sort=memory&memory_min=1GiB", ["large", "middle", "middle-too", "small"]),
        ("sort=year", ["middle-too", "large", "middle", "small", "unknown"]),
        ("sort=power&year=2022", ["large", "middle"]),
        ("sort=-power&q=middle", ["middle", "middle-too"]),
        ("sort=bandwidth", ["large", "middle", "middle-too", "small", "unknown"]),
        ("limit=2", ["large", "middle"]),
        ("limit=1&q=middle", ["middle"]),
    ],
)
def test_facts_filter_and_sort(query: str, expected: list[str]) -> None:
    assert names(query) == expected


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize(
    ("query", "unstated"),
    [
        ("sort=memory", 1),
        ("sort=-memory&limit=1", 1),
        ("sort=memory&q=acme", 1),
        ("sort=memory&where=num-cores%3D1", 1),
        ("sort=memory&where=num-cores%3D2", 0),
        ("sort=bandwidth", 5),
        ("sort=used", None),
        ("", None),
    ],
)
def test_tags_that_do_not_state_the_fact_are_counted(query: str, unstated: int | None) -> None:
    results = search(query)
    assert results.unstated == unstated
    assert results.total == (1 if "num-cores%3D2" in query else 4 if "num-cores" in query else 5)


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize(
    "sort", ["memory", "-memory", "year", "used", "best", "published", "machines"]
)
@pytest.mark.parametrize("text", ["", "&q=acme"])
def test_pages_of_every_size_have_each_tag_once(sort: str, text: str) -> None:
    everything = names(f"sort={sort}{text}")
    for limit in (1, 2, 3):
        seen: list[str] = []
        key: Any = None
        while True:
            results = search(f"sort={sort}{text}&limit={limit}", key)
            assert len(results.entries) <= limit
            seen += [entry.text.removeprefix("acme/") for entry in results.entries]
            key = results.next_key
            if key is None:
                break
        assert seen == everything


@pytest.mark.usefixtures("cards")
def test_only_the_newest_version_counts() -> None:
    card("large", memory_bytes=2 * GIB)
    assert names("sort=-memory")[0] == "large"
    yank("acme/large@1.0.1", "wrong")
    assert names("sort=memory")[0] == "large"


@pytest.mark.usefixtures("cards")
def test_devices_of_a_composite_do_not_count() -> None:
    device = {"kind": "llvm", "hardware": {"memory_bytes": GIB}}
    publish("acme/two", {"kind": "composite", "devices": {"a": device}})
    assert names("sort=memory")[-2:] == ["two", "unknown"]


@pytest.mark.usefixtures("cards")
def test_number_of_queries_does_not_depend_on_the_page() -> None:
    first = search("sort=memory&limit=1")
    counts = []
    for key in (None, first.next_key):
        with CaptureQueriesContext(connection) as queries:
            search("sort=memory&limit=1", key)
        counts.append(len(queries))
    limits = 2 if connection.vendor == "postgresql" else 0  # a savepoint
    assert counts == [6 + limits, 6 + limits]


def test_year_is_indexed_below_its_date() -> None:
    card("dated", launched="2022-10")
    row = Attribute.objects.get(tag__text="acme/dated", name="year")
    assert (row.pointer, row.text, row.number) == ("/hardware/launched/year", "2022", 2022)
    rows = set(Attribute.objects.values_list("tag", "pointer", "text", "number"))
    indexing.rebuild_index()
    assert set(Attribute.objects.values_list("tag", "pointer", "text", "number")) == rows
