"""Deprecated tags in lists, counts and suggestions."""

from collections.abc import Mapping

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference, Tag as TagName
from registry.domain.search.comparable_facts import FactOrder
from registry.domain.search.conditions import Condition
from registry.models import User
from registry.services.core import usage
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.search import facets, kind_counts, near_names, orders
from registry.services.search.orders import Sort
from registry.services.search.search_query import SearchQuery, SearchResults
from registry.services.search.searching import search
from registry.services.tags import aliases, deprecation
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("boards")]

ACME = {"namespace": "acme"}
BOARD = {"kind": "c", "hardware": {"vendor": "Acme", "category": "board", "memory_bytes": 1024}}


def deprecate(tag: str, successor: str, user: User) -> None:
    deprecation.deprecate(
        TagName.parse(tag),
        reason="The same board",
        actor=Actor.operator(user),
        successor=TagName.parse(successor),
    )


@pytest.fixture
def boards(acme: object, alice: User) -> None:
    """Publish three boards, one of which another one supersedes."""
    assert acme
    for name in ("zyx", "zyx-old", "zyx-two"):
        publish(f"acme/{name}", BOARD | {"model": name})
    usage.count("acme/zyx-old")
    deprecate("acme/zyx-old", "acme/zyx", alice)


def found(query: SearchQuery) -> list[str]:
    return [entry.text for entry in search(query).entries]


def statuses(results: SearchResults) -> Mapping[str, int]:
    return {value.value: value.count for value in results.facets["status"]}


@pytest.mark.parametrize(
    "query",
    [
        SearchQuery(facts=ACME),
        SearchQuery(facts=ACME, sort=Sort.USED),
        SearchQuery(facts=ACME, where=(Condition.parse("kind=c"),)),
        SearchQuery(facts={"vendor": "Acme"}),
        SearchQuery(where=(Condition.parse("memory_bytes=1024"),)),
        SearchQuery("acme zyx"),
        SearchQuery("zyx", facts=ACME),
        SearchQuery("acme", where=(Condition.parse("kind=c"),)),
    ],
)
def test_lists_leave_them_out(query: SearchQuery) -> None:
    assert sorted(found(query)) == ["acme/zyx", "acme/zyx-two"]
    assert search(query).total == 2


def test_the_order_by_date_or_fact_leaves_them_out() -> None:
    assert found(SearchQuery(facts=ACME, sort=Sort.PUBLISHED)) == ["acme/zyx-two", "acme/zyx"]
    by_memory = FactOrder.parse("memory")
    assert by_memory
    assert sorted(found(SearchQuery(facts=ACME, sort=by_memory))) == ["acme/zyx", "acme/zyx-two"]
    by_bandwidth = FactOrder.parse("bandwidth")
    assert by_bandwidth
    results = search(SearchQuery(facts=ACME, sort=by_bandwidth))
    assert [entry.text for entry in results.entries] == ["acme/zyx", "acme/zyx-two"]
    assert results.unstated == 2


def test_a_status_lists_them() -> None:
    assert found(SearchQuery(facts={**ACME, "status": "deprecated"})) == ["acme/zyx-old"]
    everything = search(SearchQuery(facts={**ACME, "status": "any"}))
    assert (len(everything.entries), everything.total) == (3, 3)
    assert statuses(everything) == {"active": 2, "deprecated": 1}
    by_use = SearchQuery(facts={**ACME, "status": "any"}, sort=Sort.USED)
    assert sorted(found(by_use)) == ["acme/zyx", "acme/zyx-old", "acme/zyx-two"]


def test_the_facet_of_the_status_counts_them() -> None:
    assert statuses(search(SearchQuery(facts=ACME))) == {"active": 2, "deprecated": 1}
    by_text = search(SearchQuery("acme zyx"))
    assert statuses(by_text) == {"active": 2, "deprecated": 1}
    assert [value.count for value in by_text.facets["namespace"]] == [2]


@pytest.mark.parametrize("text", ["acme/zyx-old", "zyx-old", "zyx old", "acme former"])
def test_their_whole_name_or_alias_finds_them(text: str, alice: User) -> None:
    target = Reference.parse("acme/zyx-old")
    aliases.point_alias("acme/former", target, actor=Actor.operator(alice))
    publish("acme/zyx-old-case", BOARD | {"model": "former"})  # has the words, too
    assert found(SearchQuery(text)) == ["acme/zyx-old", "acme/zyx-old-case"]


def test_words_that_only_they_have_find_them() -> None:
    assert found(SearchQuery("acme old board")) == ["acme/zyx-old"]


def test_suggestions_for_unknown_names_are_in_use() -> None:
    assert near_names.similar_tags("acme/zyx-twoo") == ("acme/zyx-two",)
    assert "acme/zyx-old" not in near_names.similar_tags("acme/zyx-oldd")


def test_counts_leave_them_out() -> None:
    boards = SearchQuery(where=(Condition.parse("/hardware/category=board"),))
    assert facets.count_categories()["board"] == search(boards).total
    counts = kind_counts.count_options(kinds.current_kinds().kinds["c"])
    roots = next(tags for position, tags in counts.tags if not position.pointer)
    assert roots == search(SearchQuery(facts={"kind": "c"})).total
    assert kind_counts.kind_totals()["c"].tags == roots
    models = [count for count in counts.options["model"] if not count.position.pointer]
    assert "zyx-old" not in {value.value for count in models for value in count.values}


def test_the_most_used_are_in_use() -> None:
    usage.flush()
    assert "acme/zyx-old" not in [entry.text for _, entry in orders.top_tags(100)]


def test_hiding_them_takes_no_query_and_naming_successors_one() -> None:
    search(SearchQuery())  # counts the groups
    counts = []
    for facts in (ACME, {**ACME, "status": "any"}):
        for sort in (Sort.BEST, Sort.USED):
            with CaptureQueriesContext(connection) as queries:
                search(SearchQuery(facts=facts, sort=sort))
            counts.append(len(queries))
    assert counts[2:] == [count + 1 for count in counts[:2]]
