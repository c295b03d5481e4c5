"""Search by facts and attributes."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.domain.search.attributes import attributes, searchable_attributes
from registry.models import Entry, Tag, User, Version
from registry.services.core.permissions import Actor
from registry.services.search import (
    facets,
    fact_lists,
    filters,
    search_query,
    text_search,
)
from registry.services.search.facets import FACETS
from registry.services.tags import aliases, deprecation
from tests.publishing import publish, yank
from tests.services.search.searches import BOARD, all_tags, facet_counts, search, tags

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("facet", "value"),
    [
        ("namespace", "riscv"),
        ("kind", "hexagon"),
        ("kind", "mixin"),
        ("vendor", "NVIDIA"),
        ("arch", "sm_86"),
        ("family", "Maxwell"),
        ("status", "active"),
    ],
)
def test_facts_filter_and_are_counted(
    monkeypatch: pytest.MonkeyPatch, facet: str, value: str
) -> None:
    monkeypatch.setattr(facets, "MAX_VALUES", 1000)
    results = search(**{facet: value})
    assert (
        results.total == facet_counts(search(), facet)[value] == len(all_tags(**{facet: value})) > 0
    )
    assert facet_counts(results, facet) == {value: results.total}


def test_facets_count_each_fact_separately() -> None:
    results = search("jetson", kind="cuda")
    entries = [entry for entry in results.entries if entry.vendor]
    assert results.total == len(results.entries)
    assert facet_counts(results, "kind") == {"cuda": results.total}
    assert sum(facet_counts(results, "namespace").values()) == results.total
    assert sum(facet_counts(results, "vendor").values()) == len(entries)
    assert set(results.facets) == set(FACETS)


def test_all_ways_of_counting_facets_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facets, "MAX_VALUES", 1000)
    expected = search(kind="cuda").facets
    assert search("", "/kind=cuda").facets == expected
    monkeypatch.setattr(text_search, "MAX_MATCHES", 10**6)
    assert search("nvidia", namespace="nvidia").facets == search(namespace="nvidia").facets


def test_most_frequent_values_of_a_facet_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = [value.count for value in search().facets["arch"]]
    assert counts == sorted(counts, reverse=True)
    assert len(counts) == facets.MAX_VALUES
    monkeypatch.setattr(facets, "MAX_VALUES", 2)
    assert [value.count for value in search().facets["arch"]] == counts[:2]


@pytest.mark.parametrize(("excess", "is_cut"), [(-1, True), (0, False), (1, False)])
def test_a_facet_is_cut_only_if_it_has_more_values(
    monkeypatch: pytest.MonkeyPatch, excess: int, is_cut: bool
) -> None:
    count = len(search().counts["arch"])
    monkeypatch.setattr(facets, "MAX_VALUES", count + excess)
    results = search()
    assert len(results.facets["arch"]) == min(count + excess, count)
    assert ("arch" in results.cut_facets) is is_cut


def test_number_of_counted_combinations_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facets, "MAX_GROUPS", 3)
    results = search()
    assert results.is_capped
    assert 0 < results.total < Tag.objects.count()
    assert len(results.entries) == search_query.PAGE_SIZE


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"namespace": "nvidai"}, Code.NAMESPACE_UNKNOWN),
        ({"kind": "cudda"}, Code.FILTER_INVALID),
        ({"kind": "executor/aot"}, Code.FILTER_INVALID),
        ({"status": "gone"}, Code.FILTER_INVALID),
        ({"vendor": "\x00"}, Code.FILTER_INVALID),
        ({"arch": "x" * 129}, Code.FILTER_INVALID),
        ({"family": "\ud800"}, Code.FILTER_INVALID),
    ],
)
def test_invalid_facts_are_rejected(facts: dict[str, str], code: Code) -> None:
    with pytest.raises(Refused) as refused:
        search(**facts)
    assert refused.value.code == code


def test_error_has_suggestions() -> None:
    for facts, suggestion in (({"namespace": "nvidai"}, "nvidia"), ({"kind": "cudda"}, "cuda")):
        with pytest.raises(Refused) as refused:
            search(**facts)
        assert suggestion in refused.value.suggestions


@pytest.mark.parametrize(
    ("facts", "near"),
    [
        ({"vendor": "nvida"}, ("NVIDIA",)),
        ({"vendor": "nvidia"}, ("NVIDIA",)),
        ({"arch": "sm89"}, ("sm_89", "sm_87", "sm_86")),
        ({"family": "Maxwel"}, ("Maxwell",)),
        ({"vendor": "Nobody"}, ()),
        ({"vendor": "NVIDIA", "family": "Maxwel"}, ("Maxwell",)),
    ],
)
@pytest.mark.parametrize("text", ["", "jetson", "qqqq"])
def test_value_that_no_tag_has_is_rejected_with_similar_ones(
    text: str, facts: dict[str, str], near: tuple[str, ...]
) -> None:
    with pytest.raises(Refused) as refused:
        search(text, **facts)
    assert refused.value.code == Code.FILTER_INVALID
    assert refused.value.suggestions == near


def test_values_that_no_tag_has_together_find_nothing() -> None:
    search("")  # counts the groups of facts
    with CaptureQueriesContext(connection) as matching:
        assert search(vendor="NVIDIA").entries
    with CaptureQueriesContext(connection) as not_matching:
        assert search(vendor="NVIDIA", arch="x86_64").entries == ()
    assert len(not_matching) == len(matching) + 2  # one for the vendor, one for the architecture


@pytest.mark.usefixtures("acme")
def test_tags_are_counted_by_status(alice: User) -> None:
    for name in ("kept", "old", "gone"):
        publish(f"acme/{name}", BOARD)
    deprecation.deprecate(TagName.parse("acme/old"), reason="old", actor=Actor.operator(alice))
    yank("acme/gone@1.0.0")
    assert facet_counts(search(namespace="acme"), "status") == {
        "active": 1,
        "deprecated": 1,
        "yanked": 1,
    }
    (gone,) = search(status="yanked").entries
    assert (gone.text, gone.version) == ("acme/gone", None)


def test_every_value_of_the_catalogue_is_found_by_its_condition() -> None:
    for entry in Entry.objects.order_by("text")[::40]:
        target = Version.objects.get(entry=entry).target
        for attribute in searchable_attributes(attributes(json.loads(target))):
            for subject in (attribute.name, attribute.pointer):
                condition = f"{subject}={attribute.text}"
                results = search("", condition, after=[entry.text[:-1]])
                assert entry.text in tags(results), condition


def test_number_of_counted_matches_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fact_lists, "MAX_LOOKUPS", 10)
    one, two = search("", "keys=cuda"), search("", "keys=cuda", "keys=gpu")
    assert (one.total, one.is_capped) == (10, True)
    assert (two.total, two.is_capped) == (5, True)
    assert len(two.entries) == search_query.PAGE_SIZE


@pytest.mark.parametrize("conditions", [("keys=cpu",), ("keys=cpu", "kind=llvm"), ("cores>=4",)])
@pytest.mark.parametrize("facts", [{}, {"namespace": "aws"}, {"status": "any"}])
def test_conditions_that_few_rows_have_are_counted_exactly(
    monkeypatch: pytest.MonkeyPatch, conditions: tuple[str, ...], facts: dict[str, str]
) -> None:
    """Whether or not one of them drives the query."""
    monkeypatch.setattr(search_query, "PAGE_SIZE", 3)
    counts = set()
    for most in (0, 10_000):
        monkeypatch.setattr(filters, "MAX_LEADING", most)
        results = search("", *conditions, **facts)
        assert not results.is_capped
        assert results.total == len(set(all_tags("", *conditions, **facts)))
        counts.add(results.total)
    assert len(counts) == 1


def test_conditions_that_many_rows_have_lose_no_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    conditions = ("keys=gpu", "/host/kind=llvm")
    monkeypatch.setattr(search_query, "PAGE_SIZE", 3)
    exact, names = search("", *conditions), all_tags("", *conditions)
    assert exact.total == len(names)
    for module in (filters, fact_lists):
        monkeypatch.setattr(module, "MAX_COUNTED", 5)
    monkeypatch.setattr(filters, "MAX_LEADING", 0)
    results = search("", *conditions)
    assert results.is_capped  # an honest "or more"
    assert len(results.entries) <= results.total <= exact.total
    assert sum(facet_counts(results, "status").values()) == results.total
    assert all_tags("", *conditions) == names


@pytest.mark.usefixtures("acme")
def test_alias_is_found_with_the_facts_of_its_tag(alice: User) -> None:
    publish("acme/board", BOARD)
    aliases.point_alias("acme/zzyzx", Reference.parse("acme/board@1"), actor=Actor.operator(alice))
    assert tags(search("zzyzx", "mcpu=haswell", kind="llvm")) == ["acme/board"]
    assert tags(search("zzyzx", kind="cuda")) == []


@pytest.mark.usefixtures("acme")
def test_facets_follow_every_write() -> None:
    total = search("").total
    publish("acme/board", BOARD)
    assert search("").total == total + 1
