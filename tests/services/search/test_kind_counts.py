"""Usage counts of kinds and options."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.search.conditions import parse_conditions
from registry.domain.search.counted_options import HOST
from registry.models import Namespace
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.search import kind_counts, searching
from registry.services.search.kind_counts import KindCounts, OptionCount
from registry.services.search.search_query import SearchQuery
from tests.publishing import publish, yank
from tests.services.kinds.schemas import with_option

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def counts_of(name: str) -> KindCounts:
    return kind_counts.count_options(kinds.find_kind(name))


def option_count(name: str, option: str, pointer: str = "") -> OptionCount | None:
    counts = counts_of(name).options.get(option, ())
    return next((count for count in counts if count.position.pointer == pointer), None)


def values(name: str, option: str, pointer: str = "") -> dict[str, int]:
    count = option_count(name, option, pointer)
    return {value.value: value.count for value in count.values} if count else {}


def test_tags_are_counted_by_the_kinds_of_root_and_host() -> None:
    before = kind_counts.kind_totals()["c"]
    publish("acme/a", {"kind": "c", "mcpu": "cortex-m7"})
    publish("acme/b", {"kind": "cuda", "arch": "sm_53", "host": {"kind": "c"}})
    after = kind_counts.kind_totals()["c"]
    assert (after.tags - before.tags, after.hosts - before.hosts) == (1, 1)
    assert {position.pointer: tags for position, tags in counts_of("c").tags} == {
        "": after.tags,
        HOST: after.hosts,
    }


def test_executors_and_mixins_are_counted() -> None:
    before = kind_counts.kind_totals()
    publish("acme/aot", {"executor": "aot", "runtime": "crt"})
    after = kind_counts.kind_totals()
    assert after[kind_counts.MIXINS].tags == before[kind_counts.MIXINS].tags + 1
    assert after["executor/aot"].tags == before["executor/aot"].tags + 1
    assert after["runtime/crt"].tags == before["runtime/crt"].tags + 1
    assert after["webgpu"].tags == 0
    assert "flow" not in after


def test_values_of_an_option_are_sorted_by_count() -> None:
    for number, mcpu in enumerate(("cortex-m7", "cortex-m7", "cortex-m55")):
        publish(
            f"acme/{number}", {"kind": "opencl", "max_num_threads": 64 + number, "device": mcpu}
        )
    count = option_count("opencl", "device")
    assert count is not None
    assert [(value.value, value.count) for value in count.values][:1] == [("adreno", 3)]
    assert values("opencl", "device") == {"adreno": 3, "cortex-m7": 2, "cortex-m55": 1}
    assert (count.tags, count.distinct) == (6, 3)


def test_same_option_of_another_kind_is_not_counted() -> None:
    publish("acme/cuda", {"kind": "cuda", "arch": "sm_53", "model": "only-cuda"})
    assert "only-cuda" in values("cuda", "model")
    assert "only-cuda" not in values("metal", "model") | values("llvm", "model")


def test_tag_with_several_list_items_counts_once() -> None:
    publish("acme/cuda", {"kind": "webgpu", "libs": ["one", "two"]})
    count = option_count("webgpu", "libs")
    assert count is not None
    assert (count.tags, count.distinct) == (1, 2)
    assert values("webgpu", "libs") == {"one": 1, "two": 1}


def test_hardware_facts_and_pass_settings_are_counted_at_the_root() -> None:
    publish("acme/a", {"kind": "c", "hardware": {"vendor": "Acme"}, "flow": {"link-params": True}})
    assert values("hardware", "vendor", "/hardware")["Acme"] == 1
    assert values("flow", "link-params", "/flow")["true"] >= 1
    ((_, tags),) = counts_of("flow").tags
    assert tags >= 1


@pytest.mark.parametrize("name", ["llvm", "cuda", "executor/aot", "hardware", "flow"])
def test_counts_equal_the_number_of_search_results(name: str) -> None:
    checked = 0
    for option, counts in counts_of(name).options.items():
        for count in counts:
            for value in count.values[:2]:
                condition = count.position.condition(option, value.value)
                where = parse_conditions((*count.position.where, condition))
                results = searching.search(SearchQuery(facts=count.position.facts, where=where))
                assert results.total == value.count, condition
                checked += 1
    assert checked


def test_only_the_most_frequent_values_are_listed() -> None:
    for number in range(9):
        publish(f"acme/{number}", {"kind": "metal", "model": f"model-{number}"})
    count = option_count("metal", "model")
    assert count is not None
    assert (len(count.values), count.distinct, count.tags) == (kind_counts.MAX_VALUES, 9, 9)


def test_value_that_no_condition_can_express_has_none() -> None:
    (position, _) = kind_counts.node_positions(kinds.find_kind("llvm"))
    assert position.condition("mcpu", "haswell") == "/mcpu=haswell"
    assert position.condition("mattr", "+avx2") == "/mattr=+avx2"
    assert position.condition("model", "=odd") == ""
    assert position.condition("model", "x" * 256 + "y" * 60) == ""


def test_counts_follow_publications_and_yanks() -> None:
    assert values("webgpu", "model") == {}
    publish("acme/board", {"kind": "webgpu", "model": "first"})
    assert values("webgpu", "model") == {"first": 1}
    publish("acme/board", {"kind": "webgpu", "model": "second"})
    assert values("webgpu", "model") == {"second": 1}
    yank("acme/board@1.0.0")
    yank("acme/board@2.0.0")
    assert values("webgpu", "model") == {}


def test_queries_do_not_grow(acme: Namespace) -> None:
    kind = kinds.find_kind("metal")
    for count in (1, 20):
        for number in range(count):
            publish(f"acme/of-{count}-{number}", {"kind": "metal", "model": f"m{number}"})
        with CaptureQueriesContext(connection) as captured:
            kind_counts.count_options(kind)
        assert len(captured) == 3
    with CaptureQueriesContext(connection) as captured:
        kind_counts.kind_totals()
    assert len(captured) == 2


def test_new_revision_is_counted() -> None:
    llvm = dict(kinds.find_kind("llvm").source)
    alice = Namespace.objects.get(name="acme").memberships.get().user
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    assert option_count("llvm", "warp-sum") is None
    kinds.revise_kind("llvm", with_option(llvm, "warp-sum", minimum=1), actor=Actor.operator(alice))
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell", "warp-sum": 3})
    assert values("llvm", "warp-sum") == {"3": 1}
