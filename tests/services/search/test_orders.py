"""The most recently published come first, or the most often resolved."""

from typing import Any

import pytest

from registry.domain.search.conditions import parse_conditions
from registry.models import RecentUsage, Tag
from registry.services.core import usage
from registry.services.search import search_query, searching
from registry.services.search.orders import Sort
from registry.services.search.search_query import SearchQuery, SearchResults
from tests.publishing import publish, yank
from tests.services.search.searches import BOARD, facet_counts, tags, used

pytestmark = pytest.mark.django_db


def recent(text: str = "", *where: str, after: Any = None, **facts: Any) -> SearchResults:
    query = SearchQuery(text, facts, parse_conditions(where), Sort.PUBLISHED)
    return searching.search(query, after=after)


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("text", "where", "facts"),
    [
        ("", (), {"namespace": "acme"}),
        ("", ("mcpu=haswell",), {"namespace": "acme"}),
        ("acme", (), {}),
        ("acme", ("mcpu=haswell",), {"kind": "llvm"}),
    ],
)
def test_most_recently_published_come_first_without_yanked_tags(
    text: str, where: tuple[str, ...], facts: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcdef":
        publish(f"acme/{name}", BOARD)
    publish("acme/b", BOARD | {"num-cores": 2})
    yank("acme/d@1.0.0")
    monkeypatch.setattr(search_query, "PAGE_SIZE", 2)
    results = recent(text, *where, **facts)
    assert results.total == sum(facet_counts(results, "status").values()) == 5
    names = tags(results)
    while results.next_key is not None:
        publish(f"acme/later-{len(names)}", BOARD)  # does not shift pages
        results = recent(text, *where, after=results.next_key, **facts)
        names += tags(results)
    assert names == ["acme/b", "acme/f", "acme/e", "acme/c", "acme/a"]


def all_used(text: str = "", *where: str, **facts: Any) -> list[str]:
    """Return the tags of all pages, most often resolved first."""
    results = used(text, *where, **facts)
    names = tags(results)
    while results.next_key is not None:
        results = used(text, *where, after=results.next_key, **facts)
        names += tags(results)
    return names


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("text", "where", "facts"),
    [
        ("", (), {"namespace": "acme"}),
        ("", ("mcpu=haswell",), {"namespace": "acme"}),
        ("acme", (), {}),
        ("acme", ("mcpu=haswell",), {"kind": "llvm"}),
    ],
)
def test_most_often_resolved_come_first_then_by_name(
    text: str,
    where: tuple[str, ...],
    facts: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in "abcdef":
        publish(f"acme/{name}", BOARD)
    for tag, resolves in {"acme/c": 2, "acme/b": 2, "acme/e": 9, "arm/soc": 100}.items():
        usage.count(tag, resolves)
    usage.flush()
    expected = ["acme/e", "acme/b", "acme/c", "acme/a", "acme/d", "acme/f"]
    for page_size in (1, 2, 3, 4, 5, 6, 50):
        monkeypatch.setattr(search_query, "PAGE_SIZE", page_size)
        assert all_used(text, *where, **facts) == expected, page_size
    results = used(text, *where, **facts)
    assert results.total == sum(facet_counts(results, "status").values()) == 6
    assert results.entries[0].resolves == 9


@pytest.mark.usefixtures("acme")
def test_pages_of_the_most_used_contain_every_tag_once() -> None:
    everything = list(Tag.objects.values_list("text", flat=True))
    for number, tag in enumerate(everything):
        if number % 3:
            usage.count(tag, number % 5 + 1)
    usage.flush()
    counts = dict(RecentUsage.objects.values_list("text", "resolves"))
    assert all_used() == sorted(everything, key=lambda tag: (-counts.get(tag, 0), tag))


@pytest.mark.usefixtures("acme")
def test_new_counts_and_tags_do_not_repeat_a_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abcd":
        publish(f"acme/{name}", BOARD)
        usage.count(f"acme/{name}", 5)
    usage.flush()
    monkeypatch.setattr(search_query, "PAGE_SIZE", 2)
    first = used(namespace="acme")
    usage.count("acme/a", 50)
    usage.flush()
    publish("acme/e", BOARD)
    second = used(namespace="acme", after=first.next_key)
    third = used(namespace="acme", after=second.next_key)
    assert [*tags(first), *tags(second), *tags(third)] == [f"acme/{name}" for name in "abcde"]


@pytest.mark.parametrize("sort", Sort)
def test_rows_count_resolves_in_every_order(sort: Sort) -> None:
    usage.count("arm/soc", 3)
    usage.flush()
    results = searching.search(SearchQuery("arm/soc", sort=sort))
    counts = {entry.text: entry.resolves for entry in results.entries}
    assert (counts["arm/soc"], counts["arm/soc:aot"]) == (3, 0)
