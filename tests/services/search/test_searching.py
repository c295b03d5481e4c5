"""Search by name, facts and attributes."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.attributes import attributes, searchable_attributes
from registry.domain.conditions import parse_conditions
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Entry, Tag, User, Version
from registry.services.core.permissions import Actor
from registry.services.search import facets, filters, searching
from registry.services.search.facets import FACETS
from registry.services.search.searching import SearchQuery, SearchResults, Sort
from registry.services.tags import aliases, deprecation
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def search(text: str = "", *where: str, after: Any = None, **facts: Any) -> SearchResults:
    return searching.search(SearchQuery(text, facts, parse_conditions(where)), after=after)


def tags(found: SearchResults) -> list[str]:
    return [entry.text for entry in found.entries]


def all_tags(text: str = "", *where: str, **facts: str) -> list[str]:
    """Of all pages, one after the other."""
    found = search(text, *where, **facts)
    seen = tags(found)
    while found.following is not None:
        found = search(text, *where, after=found.following, **facts)
        seen += tags(found)
    return seen


def count_of(found: SearchResults, facet: str) -> dict[str, int]:
    return {each.value: each.count for each in found.facets[facet]}


# By name.


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("nvidia/jetson-nano", ["nvidia/jetson-nano", "nvidia/jetson-nano:cuda"]),
        ("nvidia/jetson-nano:cuda", ["nvidia/jetson-nano:cuda"]),
        ("jetson nano", ["nvidia/jetson-nano", "nvidia/jetson-nano:cuda"]),
        ("nvidia/a100", ["nvidia/nvidia-a100"]),
        ("a10", ["nvidia/nvidia-a10", "nvidia/nvidia-a10g", "nvidia/nvidia-a100"]),
        ("m1", ["apple/m1-gpu", "apple/m1-gpu-restricted", "nvidia/quadro-m1200"]),
        ("t4", ["nvidia/nvidia-t4"]),
        ("v100", ["nvidia/nvidia-v100", "nvidia/quadro-gv100"]),
        ("p100", ["nvidia/tesla-p100", "nvidia/quadro-p1000", "nvidia/quadro-gp100"]),
        ("RTX4090", ["nvidia/geforce-rtx-4090"]),
        ("3080 ti", ["nvidia/geforce-rtx-3080-ti"]),
        ("c4.4xlarge", ["aws/c4.4xlarge"]),
        ("c5 9xlarge", ["aws/cpu/c5.9xlarge"]),
        ("soc", ["arm/soc", "arm/soc:aot", "example/soc-with-npu"]),
        ("tx2", ["nvidia/jetson-tx2"]),
        ("k80", ["nvidia/tesla-k80"]),
    ],
)
def test_the_best_match_comes_first(query: str, expected: list[str]) -> None:
    found = search(query)
    assert tags(found)[: len(expected)] == expected
    assert found.near == ()


def test_a_tag_that_several_of_its_names_match_is_shown_once() -> None:
    found = search("a100")
    assert tags(found) == ["nvidia/nvidia-a100"]
    assert (found.total, found.is_capped) == (1, False)


@pytest.mark.usefixtures("acme")
def test_of_equal_matches_those_that_are_kept_up_come_first(alice: User) -> None:
    for name in ("a", "bb", "ccc", "zyx"):
        publish(f"acme/zyx-{name}", BOARD)
    yank("acme/zyx-a@1.0.0")
    deprecation.deprecate(TagName.parse("acme/zyx-bb"), reason="old", actor=Actor.operator(alice))
    assert tags(search("zyx")) == ["acme/zyx-ccc", "acme/zyx-zyx", "acme/zyx-bb", "acme/zyx-a"]
    assert tags(search("acme/zyx-a"))[0] == "acme/zyx-a"


@pytest.mark.parametrize("query", ["qqqq", "\x00", "日本", "///", "%", "x" * 5000])
def test_nothing_is_found_and_nothing_is_near(query: str) -> None:
    found = search(query)
    assert (found.entries, found.near, found.total, found.following) == ((), (), 0, None)
    assert not any(found.facets.values())


@pytest.mark.parametrize("query", ["", " ", "\n"])
def test_an_empty_text_asks_for_nothing(query: str) -> None:
    assert search(query).total == Tag.objects.count()


def test_where_no_name_matches_near_ones_are_named() -> None:
    found = search("jetsn-nono")
    assert found.entries == ()
    assert [entry.text for entry in found.near][:1] == ["nvidia/jetson-nano"]
    assert found.near[0].version


def test_near_names_have_the_facts_and_values_asked_for() -> None:
    assert search("jetsn-nono", kind="cuda").near
    assert search("jetsn-nono", kind="hexagon").near == ()
    assert search("jetsn-nono", "arch=sm_53").near
    assert search("jetsn-nono", "arch=sm_90").near == ()


def test_a_name_that_matches_without_the_facts_asked_for_is_not_found() -> None:
    found = search("jetson-nano", kind="hexagon")
    assert (found.entries, found.near) == ((), ())


# In pages.


@pytest.mark.parametrize(
    ("text", "where", "facts"),
    [
        ("", (), {}),
        ("", (), {"namespace": "nvidia"}),
        ("", ("thread_warp_size=32",), {}),
        ("geforce", (), {}),
        ("g", ("thread_warp_size=32",), {"status": "active"}),
    ],
)
def test_pages_hold_every_match_once(
    text: str, where: tuple[str, ...], facts: dict[str, str]
) -> None:
    found = search(text, *where, **facts)
    seen = all_tags(text, *where, **facts)
    assert len(seen) == len(set(seen)) == found.total > searching.PAGE_SIZE
    if not text:
        assert seen == sorted(seen)


@pytest.mark.usefixtures("acme")
def test_what_comes_meanwhile_shifts_no_page() -> None:
    first = search("")
    publish("acme/aaa", BOARD)
    second = search("", after=first.following)
    assert not set(tags(first)) & set(tags(second))
    assert tags(second)[0] > tags(first)[-1]


def test_the_last_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "PAGE_SIZE", 3)
    assert search("jetson nano").following is None
    assert search("", namespace="riscv", after=["riscv/sifive-u54"]).following is None
    monkeypatch.setattr(searching, "PAGE_SIZE", 2)
    assert search("jetson nano").following is not None


def test_matches_of_a_text_are_ranked_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MAX_MATCHES", 10)
    found = search("geforce")
    assert (found.total, found.is_capped) == (10, True)
    assert sum(count_of(found, "status").values()) == 10
    assert len(all_tags("geforce")) == 10


# The latest first.


def recent(text: str = "", *where: str, after: Any = None, **facts: Any) -> SearchResults:
    question = SearchQuery(text, facts, parse_conditions(where), Sort.PUBLISHED)
    return searching.search(question, after=after)


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
def test_the_latest_published_come_first_without_what_is_withdrawn(
    text: str, where: tuple[str, ...], facts: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcdef":
        publish(f"acme/{name}", BOARD)
    publish("acme/b", BOARD | {"num-cores": 2})
    yank("acme/d@1.0.0")
    monkeypatch.setattr(searching, "PAGE_SIZE", 2)
    found = recent(text, *where, **facts)
    assert found.total == sum(count_of(found, "status").values()) == 5
    seen = tags(found)
    while found.following is not None:
        publish(f"acme/later-{len(seen)}", BOARD)  # shifts no page
        found = recent(text, *where, after=found.following, **facts)
        seen += tags(found)
    assert seen == ["acme/b", "acme/f", "acme/e", "acme/c", "acme/a"]


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
def test_facts_narrow_and_are_counted(
    monkeypatch: pytest.MonkeyPatch, facet: str, value: str
) -> None:
    monkeypatch.setattr(facets, "MAX_VALUES", 1000)
    found = search(**{facet: value})
    assert found.total == count_of(search(), facet)[value] == len(all_tags(**{facet: value})) > 0
    assert count_of(found, facet) == {value: found.total}


def test_facets_count_each_fact_on_its_own() -> None:
    found = search("jetson", kind="cuda")
    entries = [entry for entry in found.entries if entry.vendor]
    assert found.total == len(found.entries)
    assert count_of(found, "kind") == {"cuda": found.total}
    assert count_of(found, "namespace") == {"nvidia": found.total}
    assert sum(count_of(found, "vendor").values()) == len(entries)
    assert set(found.facets) == set(FACETS)


def test_facets_are_the_same_however_they_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facets, "MAX_VALUES", 1000)
    expected = search(kind="cuda").facets
    assert search("", "/kind=cuda").facets == expected
    monkeypatch.setattr(searching, "MAX_MATCHES", 10**6)
    assert search("n", namespace="nvidia").facets == search(namespace="nvidia").facets


def test_values_of_a_facet_are_the_most_frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = [each.count for each in search().facets["arch"]]
    assert counts == sorted(counts, reverse=True)
    assert len(counts) == facets.MAX_VALUES
    monkeypatch.setattr(facets, "MAX_VALUES", 2)
    assert [each.count for each in search().facets["arch"]] == counts[:2]


def test_of_very_many_combinations_not_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facets, "MAX_GROUPS", 3)
    found = search()
    assert found.is_capped
    assert 0 < found.total < Tag.objects.count()
    assert len(found.entries) == searching.PAGE_SIZE


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
def test_facts_that_no_tag_can_have_are_refused(facts: dict[str, str], code: Code) -> None:
    with pytest.raises(Refused) as refused:
        search(**facts)
    assert refused.value.code == code


def test_refusal_names_what_there_is() -> None:
    for facts, near in (({"namespace": "nvidai"}, "nvidia"), ({"kind": "cudda"}, "cuda")):
        with pytest.raises(Refused) as refused:
            search(**facts)
        assert near in refused.value.suggestions


def test_a_vendor_that_nobody_is_is_merely_not_found() -> None:
    assert search(vendor="Nobody").entries == ()


@pytest.mark.usefixtures("acme")
def test_status_of_tags(alice: User) -> None:
    for name in ("kept", "old", "gone"):
        publish(f"acme/{name}", BOARD)
    deprecation.deprecate(TagName.parse("acme/old"), reason="old", actor=Actor.operator(alice))
    yank("acme/gone@1.0.0")
    assert count_of(search(namespace="acme"), "status") == {
        "active": 1,
        "deprecated": 1,
        "yanked": 1,
    }
    (gone,) = search(status="yanked").entries
    assert (gone.text, gone.version) == ("acme/gone", None)


# By attributes.


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (["num-cores=8"], {"acme/big"}),
        (["num-cores=8.0"], {"acme/big"}),
        (["num-cores=+8"], {"acme/big"}),
        (["num-cores>=4"], {"acme/big", "acme/small"}),
        (["num-cores>4"], {"acme/big"}),
        (["num-cores<8"], {"acme/small"}),
        (["num-cores<=8"], {"acme/big", "acme/small"}),
        (["num-cores>1e300"], set()),
        (["num-cores=1e999"], set()),
        (["/num-cores=4"], set()),
        (["/host/num-cores=4"], {"acme/small"}),
        (["/host/num-cores<9"], {"acme/small"}),
        (["mattr=+avx2"], {"acme/big"}),
        (["mattr=avx2"], set()),
        (["mattr=+avx2", "mattr=+fma"], {"acme/big"}),
        (["keys=gpu"], {"acme/small"}),
        (["tir.disable_vectorize=true"], {"acme/big"}),
        (["tir.disable_vectorize=1"], set()),
        (["tir.disable_vectorize>=1"], set()),
        (["a.b=1"], {"acme/small"}),
        (["model=a=b"], {"acme/small"}),
        (["kind=llvm"], {"acme/big", "acme/small"}),
        (["/kind=llvm"], {"acme/big"}),
        (["kind=llvm", "kind=cuda"], {"acme/small"}),
        (["kind=LLVM"], set()),
        (["kind>1"], set()),
        (["os=linux"], {"acme/big", "acme/small"}),
        (["/mtriple/os=linux"], {"acme/big"}),
        (["/host/mtriple/os=linux"], {"acme/small"}),
        (["/host/mtriple/arch=aarch64"], {"acme/small"}),
        (["/host/mtriple/arch=arm64"], {"acme/small"}),
        (["libc=musl"], {"acme/big"}),
        (["abi=x32"], {"acme/big"}),
        (["vendor=pc"], {"acme/big"}),
        (["vendor=unknown"], set()),
        (["vendor=Acme"], {"acme/small"}),
        (["/mtriple=x86_64-pc-linux-muslx32"], {"acme/big"}),
        (["nonsense=1"], set()),
        (["/=1"], set()),
        (["kind=llvm", "num-cores>1", "num-cores<9", "mattr=+avx2", "mcpu=znver4"], {"acme/big"}),
    ],
)
@pytest.mark.parametrize("many", [0, filters.MAX_LEADING])
def test_conditions(
    monkeypatch: pytest.MonkeyPatch, where: list[str], expected: set[str], many: int
) -> None:
    """The same whether rows lead to tags, or tags are asked one by one."""
    monkeypatch.setattr(filters, "MAX_LEADING", many)
    publish(
        "acme/big",
        {
            "kind": "llvm",
            "mtriple": "x86_64-pc-linux-muslx32",
            "mcpu": "znver4",
            "mattr": ["+avx2", "+fma"],
            "num-cores": 8,
            "flow": {"tir.disable_vectorize": True},
        },
    )
    publish(
        "acme/small",
        {
            "kind": "cuda",
            "arch": "sm_53",
            "keys": ["cuda", "gpu"],
            "model": "a=b",
            "host": {
                "kind": "llvm",
                "mtriple": "arm64-unknown-linux-gnu",
                "mcpu": "cortex-a57",
                "num-cores": 4,
            },
            "hardware": {"vendor": "Acme"},
            "flow": {"a.b": [1, 2]},
        },
    )
    assert set(tags(search("", *where, namespace="acme"))) == expected
    assert set(tags(search("acme", *where))) == expected
    found = search("", *where, namespace="acme")
    assert (found.total, found.is_capped) == (len(expected), False)


def test_every_value_of_the_catalogue_is_found_by_its_condition() -> None:
    for entry in Entry.objects.order_by("text")[::40]:
        target = Version.objects.get(entry=entry).target
        for attribute in searchable_attributes(attributes(json.loads(target))):
            for subject in (attribute.name, attribute.pointer):
                asked = f"{subject}={attribute.text}"
                assert entry.text in tags(search("", asked, after=[entry.text[:-1]])), asked


def test_matches_of_conditions_are_counted_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MAX_LOOKUPS", 10)
    one, two = search("", "keys=cuda"), search("", "keys=cuda", "keys=gpu")
    assert (one.total, one.is_capped) == (10, True)
    assert (two.total, two.is_capped) == (5, True)
    assert len(two.entries) == searching.PAGE_SIZE


@pytest.mark.usefixtures("acme")
def test_an_alias_is_found_with_the_facts_of_its_tag(alice: User) -> None:
    publish("acme/board", BOARD)
    aliases.point_alias("acme/zzyzx", Reference.parse("acme/board@1"), actor=Actor.operator(alice))
    assert tags(search("zzyzx", "mcpu=haswell", kind="llvm")) == ["acme/board"]
    assert tags(search("zzyzx", kind="cuda")) == []


# At a price.

OF_A_DEADLINE = 4 if connection.vendor == "postgresql" else 0  # a savepoint, and its time limit


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("text", "where", "facts", "expected"),
    [
        ("", [], {}, 3),
        ("", [], {"namespace": "acme"}, 4),
        ("", [], {"vendor": "NVIDIA", "arch": "sm_90"}, 3),
        ("", ["keys=cuda"], {}, 4),
        ("", ["keys=cuda"] * 5, {}, 8),
        ("", ["num-cores=987"], {}, 2),
        ("board", [], {}, 4),
        ("a", [], {}, 4),
        ("board", [], {"namespace": "acme"}, 6),
        ("board", ["kind=llvm"] * 5, {}, 9),
        ("boadr-1", [], {}, 6),
        ("qqqq", ["kind=llvm"] * 5, {"namespace": "acme"}, 3),
    ],
)
def test_the_number_of_queries_depends_on_the_question_only(
    text: str, where: list[str], facts: dict[str, str], expected: int
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            search(text, *where, **facts)
        return len(captured) - OF_A_DEADLINE

    publish("acme/board-1", BOARD)
    few = queries()
    for at in range(2, 30):
        publish(f"acme/board-{at}", BOARD)
    assert (few, queries()) == (expected, expected)


def test_a_search_that_takes_too_long_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MAX_SECONDS", 1e-9)
    with pytest.raises(Refused) as refused:
        search("a", "kind=llvm")
    assert refused.value.code == Code.BUSY
    monkeypatch.undo()
    assert search("jetson nano").entries
