"""Usage counts of kinds and options."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.conditions import parse_conditions
from registry.domain.errors import Code, Refused
from registry.models import Namespace
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.search import option_usage, searching
from registry.services.search.option_usage import HOST, KindUsage, OptionUse
from registry.services.search.searching import SearchQuery
from tests.publishing import publish, yank
from tests.services.kinds.schemas import with_option

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def usage(name: str) -> KindUsage:
    result = option_usage.option_usage(kinds.find_kind(name))
    assert result is not None
    return result


def option_use(name: str, option: str, pointer: str = "") -> OptionUse | None:
    uses = usage(name).options.get(option, ())
    return next((use for use in uses if use.position.pointer == pointer), None)


def values(name: str, option: str, pointer: str = "") -> dict[str, int]:
    use = option_use(name, option, pointer)
    return {value.value: value.count for value in use.values} if use else {}


def test_tags_are_counted_by_the_kinds_of_root_and_host() -> None:
    before = option_usage.kind_totals()["c"]
    publish("acme/a", {"kind": "c", "mcpu": "cortex-m7"})
    publish("acme/b", {"kind": "cuda", "arch": "sm_53", "host": {"kind": "c"}})
    after = option_usage.kind_totals()["c"]
    assert (after.tags - before.tags, after.hosts - before.hosts) == (1, 1)
    assert {position.pointer: tags for position, tags in usage("c").tags} == {
        "": after.tags,
        HOST: after.hosts,
    }


def test_executors_and_mixins_are_counted() -> None:
    before = option_usage.kind_totals()
    publish("acme/aot", {"executor": "aot", "runtime": "crt"})
    after = option_usage.kind_totals()
    assert after[option_usage.MIXINS].tags == before[option_usage.MIXINS].tags + 1
    assert after["executor/aot"].tags == before["executor/aot"].tags + 1
    assert after["runtime/crt"].tags == before["runtime/crt"].tags + 1
    assert after["webgpu"].tags == 0
    assert "flow" not in after


def test_values_of_an_option_are_sorted_by_count() -> None:
    for number, mcpu in enumerate(("cortex-m7", "cortex-m7", "cortex-m55")):
        publish(
            f"acme/{number}", {"kind": "opencl", "max_num_threads": 64 + number, "device": mcpu}
        )
    use = option_use("opencl", "device")
    assert use is not None
    assert [(value.value, value.count) for value in use.values][:1] == [("adreno", 3)]
    assert values("opencl", "device") == {"adreno": 3, "cortex-m7": 2, "cortex-m55": 1}
    assert (use.tags, use.distinct) == (6, 3)


def test_same_option_of_another_kind_is_not_counted() -> None:
    publish("acme/cuda", {"kind": "cuda", "arch": "sm_53", "model": "only-cuda"})
    assert "only-cuda" in values("cuda", "model")
    assert "only-cuda" not in values("metal", "model") | values("llvm", "model")


def test_tag_with_several_list_items_counts_once() -> None:
    publish("acme/cuda", {"kind": "webgpu", "libs": ["one", "two"]})
    use = option_use("webgpu", "libs")
    assert use is not None
    assert (use.tags, use.distinct) == (1, 2)
    assert values("webgpu", "libs") == {"one": 1, "two": 1}


def test_hardware_facts_and_pass_settings_are_counted_at_the_root() -> None:
    publish("acme/a", {"kind": "c", "hardware": {"vendor": "Acme"}, "flow": {"link-params": True}})
    assert values("hardware", "vendor", "/hardware")["Acme"] == 1
    assert values("flow", "link-params", "/flow")["true"] >= 1
    ((_, tags),) = usage("flow").tags
    assert tags >= 1


@pytest.mark.parametrize("name", ["llvm", "cuda", "executor/aot", "hardware", "flow"])
def test_counts_equal_the_number_of_search_results(name: str) -> None:
    checked = 0
    for option, uses in usage(name).options.items():
        for use in uses:
            for value in use.values[:2]:
                condition = use.position.condition(option, value.value)
                where = parse_conditions((*use.position.where, condition))
                results = searching.search(SearchQuery(facts=use.position.facts, where=where))
                assert results.total == value.count, condition
                checked += 1
    assert checked


def test_only_the_most_frequent_values_are_listed() -> None:
    for number in range(9):
        publish(f"acme/{number}", {"kind": "metal", "model": f"model-{number}"})
    use = option_use("metal", "model")
    assert use is not None
    assert (len(use.values), use.distinct, use.tags) == (option_usage.MAX_VALUES, 9, 9)


def test_value_that_no_condition_can_express_has_none() -> None:
    (position, _) = option_usage.node_positions(kinds.find_kind("llvm"))
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


def test_queries_do_not_grow_and_results_are_cached_until_a_write(acme: Namespace) -> None:
    def count_queries(name: str) -> int:
        kind = kinds.find_kind(name)
        with CaptureQueriesContext(connection) as captured:
            option_usage.option_usage(kind)
        return len(captured)

    kinds.current_kinds()
    expected = 7 if connection.vendor == "sqlite" else 11  # a transaction with two settings
    for count in (1, 20):
        for number in range(count):
            publish(f"acme/of-{count}-{number}", {"kind": "metal", "model": f"m{number}"})
        assert [count_queries("metal"), count_queries("metal")] == [expected, 1]
    with CaptureQueriesContext(connection) as captured:
        option_usage.kind_totals()
    assert len(captured) == 3


def test_new_revision_is_counted() -> None:
    llvm = dict(kinds.find_kind("llvm").source)
    alice = Namespace.objects.get(name="acme").memberships.get().user
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    assert option_use("llvm", "warp-sum") is None
    kinds.revise_kind("llvm", with_option(llvm, "warp-sum", minimum=1), actor=Actor.operator(alice))
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell", "warp-sum": 3})
    assert values("llvm", "warp-sum") == {"3": 1}


def test_slow_count_returns_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_busy(*_: Any) -> Any:
        raise Refused(Code.BUSY, "Later.")

    publish("acme/board", {"kind": "c"})
    monkeypatch.setattr(option_usage, "_uses", raise_busy)
    assert option_usage.option_usage(kinds.find_kind("c")) is None
