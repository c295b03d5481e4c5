"""How tags use kinds."""

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


def counted(name: str) -> KindUsage:
    found = option_usage.option_usage(kinds.find_kind(name))
    assert found is not None
    return found


def use(name: str, option: str, place: str = "") -> OptionUse | None:
    uses = counted(name).options.get(option, ())
    return next((each for each in uses if each.place.pointer == place), None)


def values(name: str, option: str, place: str = "") -> dict[str, int]:
    found = use(name, option, place)
    return {value.value: value.count for value in found.values} if found else {}


def test_tags_are_counted_by_the_kind_of_their_root_and_of_their_host() -> None:
    before = option_usage.kind_totals()["c"]
    publish("acme/a", {"kind": "c", "mcpu": "cortex-m7"})
    publish("acme/b", {"kind": "cuda", "arch": "sm_53", "host": {"kind": "c"}})
    after = option_usage.kind_totals()["c"]
    assert (after.tags - before.tags, after.hosts - before.hosts) == (1, 1)
    assert {place.pointer: tags for place, tags in counted("c").tags} == {
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


def test_values_of_an_option_stand_by_how_many_tags_set_them() -> None:
    for at, mcpu in enumerate(("cortex-m7", "cortex-m7", "cortex-m55")):
        publish(f"acme/{at}", {"kind": "opencl", "max_num_threads": 64 + at, "device": mcpu})
    found = use("opencl", "device")
    assert found is not None
    assert [(value.value, value.count) for value in found.values][:1] == [("adreno", 3)]
    assert values("opencl", "device") == {"adreno": 3, "cortex-m7": 2, "cortex-m55": 1}
    assert (found.tags, found.different) == (6, 3)


def test_the_same_option_of_another_kind_is_not_counted() -> None:
    publish("acme/cuda", {"kind": "cuda", "arch": "sm_53", "model": "only-cuda"})
    assert "only-cuda" in values("cuda", "model")
    assert "only-cuda" not in values("metal", "model") | values("llvm", "model")


def test_a_tag_with_several_items_of_a_list_counts_once() -> None:
    publish("acme/cuda", {"kind": "webgpu", "libs": ["one", "two"]})
    found = use("webgpu", "libs")
    assert found is not None
    assert (found.tags, found.different) == (1, 2)
    assert values("webgpu", "libs") == {"one": 1, "two": 1}


def test_facts_of_hardware_and_pass_settings_are_counted_at_the_root() -> None:
    publish("acme/a", {"kind": "c", "hardware": {"vendor": "Acme"}, "flow": {"link-params": True}})
    assert values("hardware", "vendor", "/hardware")["Acme"] == 1
    assert values("flow", "link-params", "/flow")["true"] >= 1
    ((_, tags),) = counted("flow").tags
    assert tags >= 1


@pytest.mark.parametrize("name", ["llvm", "cuda", "executor/aot", "hardware", "flow"])
def test_every_number_is_that_of_the_list_it_leads_to(name: str) -> None:
    checked = 0
    for option, uses in counted(name).options.items():
        for each in uses:
            for value in each.values[:2]:
                condition = each.place.condition(option, value.value)
                where = parse_conditions((*each.place.where, condition))
                found = searching.search(SearchQuery(facts=each.place.facts, where=where))
                assert found.total == value.count, condition
                checked += 1
    assert checked


def test_most_frequent_values_only() -> None:
    for at in range(9):
        publish(f"acme/{at}", {"kind": "metal", "model": f"model-{at}"})
    found = use("metal", "model")
    assert found is not None
    assert (len(found.values), found.different, found.tags) == (option_usage.MAX_VALUES, 9, 9)


def test_what_no_condition_can_say_has_none() -> None:
    (place, _) = option_usage.node_positions(kinds.find_kind("llvm"))
    assert place.condition("mcpu", "haswell") == "/mcpu=haswell"
    assert place.condition("mattr", "+avx2") == "/mattr=+avx2"
    assert place.condition("model", "=odd") == ""
    assert place.condition("model", "x" * 256 + "y" * 60) == ""


def test_counts_follow_what_is_published_and_yanked() -> None:
    assert values("webgpu", "model") == {}
    publish("acme/board", {"kind": "webgpu", "model": "first"})
    assert values("webgpu", "model") == {"first": 1}
    publish("acme/board", {"kind": "webgpu", "model": "second"})
    assert values("webgpu", "model") == {"second": 1}
    yank("acme/board@1.0.0")
    yank("acme/board@2.0.0")
    assert values("webgpu", "model") == {}


def test_queries_do_not_grow_and_are_made_once_until_something_is_written(acme: Namespace) -> None:
    def queries(name: str) -> int:
        kind = kinds.find_kind(name)
        with CaptureQueriesContext(connection) as captured:
            option_usage.option_usage(kind)
        return len(captured)

    kinds.current_kinds()
    expected = 7 if connection.vendor == "sqlite" else 11  # a transaction with two settings
    for count in (1, 20):
        for at in range(count):
            publish(f"acme/of-{count}-{at}", {"kind": "metal", "model": f"m{at}"})
        assert [queries("metal"), queries("metal")] == [expected, 1]
    with CaptureQueriesContext(connection) as captured:
        option_usage.kind_totals()
    assert len(captured) == 3


def test_a_new_revision_is_counted_anew() -> None:
    llvm = dict(kinds.find_kind("llvm").source)
    alice = Namespace.objects.get(name="acme").memberships.get().user
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    assert use("llvm", "warp-sum") is None
    kinds.revise_kind("llvm", with_option(llvm, "warp-sum", minimum=1), actor=Actor.operator(alice))
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell", "warp-sum": 3})
    assert values("llvm", "warp-sum") == {"3": 1}


def test_what_takes_too_long_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> Any:
        raise Refused(Code.BUSY, "Later.")

    publish("acme/board", {"kind": "c"})
    monkeypatch.setattr(option_usage, "_uses", late)
    assert option_usage.option_usage(kinds.find_kind("c")) is None
