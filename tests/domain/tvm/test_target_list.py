"""Composites of several targets."""

from typing import Any

from hypothesis import given, strategies as st

from registry.domain.tvm.removed_options import EXTERNAL
from registry.domain.tvm.target_list import CodeGenerator, composite_of, describe, find_host
from tests.domain.builders import target_of
from tests.domain.strategies import leaf_targets

GENERATORS = st.sampled_from(sorted(EXTERNAL)).map(CodeGenerator)
LISTS = st.lists(st.one_of(GENERATORS, leaf_targets()), max_size=4).flatmap(
    lambda entries: leaf_targets().map(lambda last: [*entries, last])
)


@given(LISTS)
def test_composites_have_a_device_for_each_target_in_order(entries: list[Any]) -> None:
    body = composite_of(entries)
    assert target_of(body)["kind"] == "composite"
    for entry, device in zip(entries, body["devices"], strict=True):
        if isinstance(entry, CodeGenerator):
            assert device == {
                "kind": "byoc",
                "codegen": entry.name,
                "devices": [body["devices"][-1]],
            }
        else:
            assert device["kind"] == entry["kind"]


@given(LISTS)
def test_code_generators_are_enabled_once_in_order(entries: list[Any]) -> None:
    names = [entry.name for entry in entries if isinstance(entry, CodeGenerator)]
    flow = composite_of(entries).get("flow", {})
    if names and not any("flow" in entry for entry in entries if isinstance(entry, dict)):
        assert flow == {"enable-byoc": list(dict.fromkeys(names))}


@given(LISTS)
def test_the_only_cpu_is_also_the_host(entries: list[Any]) -> None:
    words = [describe(entry) for entry in entries]
    cpus = [index for index, word in enumerate(words) if word in {"llvm", "c"}]
    assert find_host(entries) == (cpus[0] if len(cpus) == 1 else None)
    host = composite_of(entries).get("host")
    assert host is None or host["kind"] in {"llvm", "c"}
    assert (host is None) == (len(cpus) != 1)
