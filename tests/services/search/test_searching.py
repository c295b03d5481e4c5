"""Search by name, facts and attributes."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.names.machine_names import OneTag, tags_named
from registry.domain.reference import Reference, Tag as TagName
from registry.domain.search.attributes import attributes, searchable_attributes
from registry.domain.search.conditions import parse_conditions
from registry.models import Entry, Name, Namespace, RecentUsage, Status, Tag, User, Version
from registry.services.core import memory_cache, shipped_facts, usage
from registry.services.core.permissions import Actor
from registry.services.search import deadlines, facets, filters, searching
from registry.services.search.facets import FACETS
from registry.services.search.searching import SearchQuery, SearchResults, Sort
from registry.services.tags import aliases, deprecation
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def search(text: str = "", *where: str, after: Any = None, **facts: Any) -> SearchResults:
    return searching.search(SearchQuery(text, facts, parse_conditions(where)), after=after)


def tags(results: SearchResults) -> list[str]:
    return [entry.text for entry in results.entries]


def all_tags(text: str = "", *where: str, **facts: str) -> list[str]:
    """Return the tags of all pages."""
    results = search(text, *where, **facts)
    names = tags(results)
    while results.next_key is not None:
        results = search(text, *where, after=results.next_key, **facts)
        names += tags(results)
    return names


def facet_counts(results: SearchResults, facet: str) -> dict[str, int]:
    return {value.value: value.count for value in results.facets[facet]}


# By name.


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("nvidia/jetson-nano", ["nvidia/jetson-nano", "nvidia/jetson-nano:cuda"]),
        ("nvidia/jetson-nano:cuda", ["nvidia/jetson-nano:cuda"]),
        ("jetson nano", ["nvidia/jetson-nano", "nvidia/jetson-nano:cuda"]),
        ("nvidia/a100", ["nvidia/nvidia-a100"]),
        ("a10", ["nvidia/nvidia-a10"]),
        ("m1", ["apple/m1-gpu", "apple/m1-gpu-restricted"]),
        ("t4", ["nvidia/nvidia-t4"]),
        ("v100", ["nvidia/nvidia-v100"]),
        ("p100", ["nvidia/tesla-p100"]),
        ("RTX4090", ["nvidia/geforce-rtx-4090"]),
        ("3080 ti", ["nvidia/geforce-rtx-3080-ti"]),
        ("c4.4xlarge", ["aws/c4.4xlarge"]),
        ("c5 9xlarge", ["aws/cpu/c5.9xlarge"]),
        ("soc", ["arm/soc", "arm/soc:aot", "example/soc-with-npu"]),
        ("tx2", ["nvidia/jetson-tx2"]),
        ("k80", ["nvidia/tesla-k80"]),
    ],
)
def test_best_match_comes_first(query: str, expected: list[str]) -> None:
    results = search(query)
    assert tags(results)[: len(expected)] == expected
    assert results.similar == ()


@pytest.mark.usefixtures("acme")
def test_mobile_and_laptop_mean_the_same() -> None:
    for name in ("zt-2060", "zt-2060-mobile", "zt-3060", "zt-3060-laptop-gpu", "zt-4060"):
        publish(f"acme/{name}", BOARD | {"model": name})
    for text in ("zt 2060 mobile", "zt 2060 laptop", "zt2060-mobile", "ZT2060 Laptop"):
        assert tags(search(text)) == ["acme/zt-2060-mobile"], text
    for text in ("zt 3060 mobile", "zt 3060 laptop", "zt-3060-laptop-gpu"):
        assert tags(search(text)) == ["acme/zt-3060-laptop-gpu"], text
    for text in ("zt 4060 mobile", "zt 4060 laptop", "zt mobile 2060 3060"):
        assert tags(search(text)) == [], text
    assert tags(search("zt 2060"))[0] == "acme/zt-2060"


@pytest.mark.usefixtures("acme")
class TestNumbers:
    """Numbers with a unit are compared with facts."""

    @pytest.fixture(autouse=True)
    def _machines(self, acme: Namespace) -> None:
        for name, cores in (("zen-a", 8), ("zen-b", 16), ("zen-c", 64)):
            hardware = {
                "model": name,
                "cores": cores,
                "threads": 2 * cores,
                "category": "server-cpu",
            }
            publish(f"acme/{name}", BOARD | {"hardware": hardware})

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("acme zen 16 cores", ["acme/zen-b"]),
            ("acme zen with 16 cores", ["acme/zen-b"]),
            ("acme zen 16 threads", ["acme/zen-a"]),
            ("acme zen 128 vcpus", ["acme/zen-c"]),
            ("acme zen 32 cores", []),
            ("acme zen 64 threads", []),
        ],
    )
    def test_a_number_that_no_name_has_excludes_other_machines(
        self, text: str, found: list[str]
    ) -> None:
        assert tags(search(text)) == found

    def test_words_that_only_describe_find_what_has_the_numbers(self) -> None:
        found = tags(search("a cpu with 64 cores"))
        assert "acme/zen-c" in found
        assert not {"acme/zen-a", "acme/zen-b"} & {*found}

    def test_machines_with_the_number_are_found_behind_many_others(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(searching, "MAX_MATCHES", 2)
        assert tags(search("acme zen 64 cores")) == ["acme/zen-c"]
        assert tags(search("acme zen 65 cores")) == []


def test_tag_with_several_matching_names_is_listed_once() -> None:
    results = search("a100")
    assert tags(results) == ["nvidia/nvidia-a100"]
    assert (results.total, results.is_capped) == (1, False)


@pytest.mark.usefixtures("acme")
def test_active_tags_come_first_among_equal_matches(alice: User) -> None:
    for name in ("a", "bb", "ccc", "zyx"):
        publish(f"acme/zyx-{name}", BOARD)
    yank("acme/zyx-a@1.0.0")
    deprecation.deprecate(TagName.parse("acme/zyx-bb"), reason="old", actor=Actor.operator(alice))
    assert tags(search("zyx")) == ["acme/zyx-ccc", "acme/zyx-zyx", "acme/zyx-a"]
    assert tags(search("acme/zyx-a"))[0] == "acme/zyx-a"


@pytest.mark.parametrize("query", ["qqqq", "\x00", "日本", "///", "%", "x" * 5000])
def test_unrelated_text_finds_nothing(query: str) -> None:
    results = search(query)
    assert (results.entries, results.similar, results.total, results.next_key) == ((), (), 0, None)
    assert not any(results.facets.values())


@pytest.mark.parametrize("query", ["", " ", "\n"])
def test_empty_text_matches_all_tags(query: str) -> None:
    assert search(query).total == Entry.objects.exclude(status=Status.DEPRECATED).count()


@pytest.mark.parametrize("query", ["jetsn-nono", "jetson nano qqqq", "NVDIA Jetson Nano"])
def test_misspelt_and_unknown_words_do_not_hide_the_others(query: str) -> None:
    assert tags(search(query))[:1] == ["nvidia/jetson-nano"]


def test_words_that_no_tag_has_are_ignored() -> None:
    assert search("jetson nano qqqq").ignored == ("qqqq",)
    assert search("jetson").ignored == search("qqqq").ignored == ()


def test_hits_have_the_reasons_why_they_match() -> None:
    (hit,) = search("t4").entries
    assert [(reason.field, reason.words) for reason in hit.reasons] == [("name", ("t4",))]


def test_similar_tags_are_listed_without_matches() -> None:
    results = search("4091")
    assert results.entries == ()
    assert "nvidia/geforce-rtx-4090" in [entry.text for entry in results.similar]
    assert results.similar[0].version


def test_similar_tags_match_the_facts_and_conditions() -> None:
    assert search("4091", kind="cuda").similar
    assert search("4091", kind="hexagon").similar == ()
    assert search("4091", "arch=sm_89").similar
    assert search("4091", "arch=sm_90").similar == ()


def test_matching_name_without_the_facts_is_not_found() -> None:
    results = search("jetson-nano", kind="hexagon")
    assert (results.entries, results.similar) == ((), ())


# Pages.


@pytest.mark.parametrize(
    ("text", "where", "facts"),
    [
        ("", (), {}),
        ("", (), {"namespace": "nvidia"}),
        ("", ("thread_warp_size=32",), {}),
        ("geforce", (), {}),
        ("geforce", ("thread_warp_size=32",), {"status": "active"}),
    ],
)
def test_pages_contain_every_match_once(
    text: str, where: tuple[str, ...], facts: dict[str, str]
) -> None:
    results = search(text, *where, **facts)
    names = all_tags(text, *where, **facts)
    assert len(names) == len(set(names)) == results.total > searching.PAGE_SIZE
    if not text:
        assert names == sorted(names)


@pytest.mark.usefixtures("acme")
def test_new_tags_do_not_shift_pages() -> None:
    first = search("")
    publish("acme/aaa", BOARD)
    second = search("", after=first.next_key)
    assert not set(tags(first)) & set(tags(second))
    assert tags(second)[0] > tags(first)[-1]


def test_last_page_has_no_next_key(monkeypatch: pytest.MonkeyPatch) -> None:
    total = search("jetson nano").total
    monkeypatch.setattr(searching, "PAGE_SIZE", total)
    assert search("jetson nano").next_key is None
    monkeypatch.setattr(searching, "PAGE_SIZE", 3)
    assert search("", namespace="riscv", after=["riscv/sifive-u54"]).next_key is None
    monkeypatch.setattr(searching, "PAGE_SIZE", 2)
    assert search("jetson nano").next_key is not None


def test_number_of_ranked_matches_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MAX_MATCHES", 10)
    results = search("geforce")
    assert (results.total, results.is_capped) == (10, True)
    assert sum(facet_counts(results, "status").values()) == 10
    assert len(all_tags("geforce")) == 10


# Most recently published first.


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
    monkeypatch.setattr(searching, "PAGE_SIZE", 2)
    results = recent(text, *where, **facts)
    assert results.total == sum(facet_counts(results, "status").values()) == 5
    names = tags(results)
    while results.next_key is not None:
        publish(f"acme/later-{len(names)}", BOARD)  # does not shift pages
        results = recent(text, *where, after=results.next_key, **facts)
        names += tags(results)
    assert names == ["acme/b", "acme/f", "acme/e", "acme/c", "acme/a"]


# Most often resolved first.


def used(text: str = "", *where: str, after: Any = None, **facts: Any) -> SearchResults:
    query = SearchQuery(text, facts, parse_conditions(where), Sort.USED)
    return searching.search(query, after=after)


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
        monkeypatch.setattr(searching, "PAGE_SIZE", page_size)
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
    monkeypatch.setattr(searching, "PAGE_SIZE", 2)
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


# By facts.


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
    monkeypatch.setattr(searching, "MAX_MATCHES", 10**6)
    assert search("nvidia", namespace="nvidia").facets == search(namespace="nvidia").facets


def test_most_frequent_values_of_a_facet_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = [value.count for value in search().facets["arch"]]
    assert counts == sorted(counts, reverse=True)
    assert len(counts) == facets.MAX_VALUES
    monkeypatch.setattr(facets, "MAX_VALUES", 2)
    assert [value.count for value in search().facets["arch"]] == counts[:2]


def test_number_of_counted_combinations_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facets, "MAX_GROUPS", 3)
    results = search()
    assert results.is_capped
    assert 0 < results.total < Tag.objects.count()
    assert len(results.entries) == searching.PAGE_SIZE


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


# By attributes.


def test_every_value_of_the_catalogue_is_found_by_its_condition() -> None:
    for entry in Entry.objects.order_by("text")[::40]:
        target = Version.objects.get(entry=entry).target
        for attribute in searchable_attributes(attributes(json.loads(target))):
            for subject in (attribute.name, attribute.pointer):
                condition = f"{subject}={attribute.text}"
                results = search("", condition, after=[entry.text[:-1]])
                assert entry.text in tags(results), condition


def test_number_of_counted_matches_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MAX_LOOKUPS", 10)
    one, two = search("", "keys=cuda"), search("", "keys=cuda", "keys=gpu")
    assert (one.total, one.is_capped) == (10, True)
    assert (two.total, two.is_capped) == (5, True)
    assert len(two.entries) == searching.PAGE_SIZE


@pytest.mark.parametrize("conditions", [("keys=cpu",), ("keys=cpu", "kind=llvm"), ("cores>=4",)])
@pytest.mark.parametrize("facts", [{}, {"namespace": "aws"}, {"status": "any"}])
def test_conditions_that_few_rows_have_are_counted_exactly(
    monkeypatch: pytest.MonkeyPatch, conditions: tuple[str, ...], facts: dict[str, str]
) -> None:
    """Whether or not one of them drives the query."""
    monkeypatch.setattr(searching, "PAGE_SIZE", 3)
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
    monkeypatch.setattr(searching, "PAGE_SIZE", 3)
    exact, names = search("", *conditions), all_tags("", *conditions)
    assert exact.total == len(names)
    for module in (filters, searching):
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


# Numbers of queries.

TIME_LIMIT_QUERIES = 2 if connection.vendor == "postgresql" else 0  # a savepoint


SEARCHES: list[tuple[str, list[str], dict[str, str], int]] = [
    ("", [], {}, 2),
    ("", [], {"namespace": "acme"}, 3),
    ("", [], {"vendor": "NVIDIA", "arch": "sm_89"}, 2),
    ("", ["keys=cuda"], {}, 6),
    ("", ["keys=cuda"] * 5, {}, 10),
    ("", ["num-cores=987"], {}, 2),
    ("acme board", [], {}, 6),
    ("haswell", [], {}, 8),
    ("acme board", [], {"namespace": "acme"}, 9),
    ("acme board", ["kind=llvm"] * 5, {}, 12),
    ("boadr-1", [], {}, 9),
    ("qqqq", ["kind=llvm"] * 5, {"namespace": "acme"}, 9),
]


def numbers_of_queries(find: Callable[..., object], searches: Sequence[Any]) -> list[int]:
    """Return how many queries each search takes, if no other has left results in memory."""
    numbers = []
    for text, where, facts, _ in searches:
        memory_cache.cache.clear()
        with CaptureQueriesContext(connection) as captured:
            find(text, *where, **facts)
        numbers.append(len(captured) - TIME_LIMIT_QUERIES)
    return numbers


@pytest.mark.usefixtures("acme")
def test_number_of_queries_depends_only_on_the_search() -> None:
    publish("acme/board-1", BOARD)
    few = numbers_of_queries(search, SEARCHES)
    for number in range(2, 30):
        publish(f"acme/board-{number}", BOARD)
    many = numbers_of_queries(search, SEARCHES)
    assert few == many == [expected for *_, expected in SEARCHES]


@pytest.mark.usefixtures("acme")
def test_facets_follow_every_write() -> None:
    total = search("").total
    publish("acme/board", BOARD)
    assert search("").total == total + 1


SEARCHES_FOR_THE_MOST_USED: list[tuple[str, list[str], dict[str, str], int]] = [
    ("", [], {}, 4),  # the used, the others, their entries, and one for facets
    ("", [], {"namespace": "acme"}, 6),
    ("", ["mcpu=haswell"], {}, 5),
    ("acme board", [], {}, 6),
]


@pytest.mark.usefixtures("acme")
def test_number_of_queries_for_the_most_used() -> None:
    publish("acme/board-1", BOARD)
    usage.count("acme/board-1")
    usage.flush()
    few = numbers_of_queries(used, SEARCHES_FOR_THE_MOST_USED)
    for number in range(2, 30):
        publish(f"acme/board-{number}", BOARD)
        usage.count(f"acme/board-{number}", number)
    usage.flush()
    many = numbers_of_queries(used, SEARCHES_FOR_THE_MOST_USED)
    assert few == many == [expected for *_, expected in SEARCHES_FOR_THE_MOST_USED]


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("after", "ranges"),
    [([5, "acme/b"], 1), ([5, "acme/d"], 3), ([1, "acme/c"], 3), ([0, "acme/c"], 1)],
)
def test_later_pages_of_the_most_used_read_a_few_ranges(
    after: list[Any], ranges: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcdefgh":
        publish(f"acme/{name}", BOARD)
    for name in "abcde":
        usage.count(f"acme/{name}", 5)
    usage.flush()
    monkeypatch.setattr(searching, "PAGE_SIZE", 2)
    with CaptureQueriesContext(connection) as captured:
        used(after=after)
    entries, facet_counts = 1, 1
    assert len(captured) - TIME_LIMIT_QUERIES == ranges + entries + facet_counts


def test_slow_search_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "MAX_SECONDS", 1e-9)
    with pytest.raises(Refused) as refused:
        search("a", "kind=llvm")
    assert refused.value.code == Code.BUSY
    monkeypatch.undo()
    assert search("jetson nano").entries


def test_a_name_of_a_tag_that_is_not_here_finds_what_has_its_words() -> None:
    """The table of names has the tag of the generated catalogue."""
    meaning = tags_named("raspberry pi 4b", shipped_facts.machine_names())
    assert meaning == OneTag("raspberry-pi/4-model-b")
    assert not Name.objects.filter(text="raspberry-pi/4-model-b").exists()
    assert search("raspberry pi 4b").entries[0].text == "raspberry-pi/4b-aarch64"


# While somebody types.


def typed(text: str) -> list[str]:
    return tags(searching.search(SearchQuery(text, is_typed=True)))


@pytest.fixture
def _series(acme: Namespace) -> None:
    for name in ("zip-40", "zip-40-pro", "zip-40-v2", "zap-7995wx", "zap-95-v3"):
        publish(f"acme/{name}", BOARD | {"model": name})


@pytest.mark.usefixtures("_series")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("zip 40 p", "acme/zip-40-pro"),
        ("zip 40 pr", "acme/zip-40-pro"),
        ("zip 40 v", "acme/zip-40-v2"),
        ("zap 7995w", "acme/zap-7995wx"),  # no power of 7995 W
        ("zap 95", "acme/zap-95-v3"),
    ],
)
def test_a_name_is_found_while_its_end_is_typed(text: str, wanted: str) -> None:
    assert wanted in typed(text)


@pytest.mark.usefixtures("_series")
@pytest.mark.parametrize("text", ["zip 41", "zip 41 pr", "zap 7996w", "zep 40", "zap 95 v2"])
def test_no_other_machine_is_found_while_a_name_is_typed(text: str) -> None:
    assert typed(text) == []


@pytest.mark.usefixtures("_series")
def test_what_is_typed_to_the_end_names_one_machine() -> None:
    assert tags(search("zip 40 pro")) == ["acme/zip-40-pro"]
    assert tags(search("zap 95")) == []
