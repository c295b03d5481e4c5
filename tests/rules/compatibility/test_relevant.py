"""The part of a target that verdicts depend on."""

from typing import Any

from hypothesis import given, strategies as st

from tests.rules.compatibility.test_laws import any_leaf
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.relevant import relevant_part

FACTS: dict[str, Any] = {
    "model": "x",
    "num-cores": 8,
    "keys": ["cpu"],
    "libs": ["dnnl"],
    "executor": "aot",
    "hardware": {"vendor": "X", "memory_bytes": 1, "accelerators": 2},
}


def test_facts_and_options_without_effect_are_left_out() -> None:
    leaf = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell"}
    assert relevant_part({**leaf, **FACTS}) == leaf


def test_the_number_of_devices_stays() -> None:
    gpu = {"kind": "cuda", "arch": "sm_80"}
    target = {
        **gpu,
        "hardware": {"vendor": "X", "accelerators": 2},
        "host": {"kind": "llvm", **FACTS},
    }
    assert relevant_part(target) == {
        **gpu,
        "hardware": {"accelerators": 2},
        "host": {"kind": "llvm"},
    }


def test_devices_are_kept_by_label_and_in_order() -> None:
    members = [{"kind": "cuda", "arch": "sm_80", "model": "x", "libs": []}, {"kind": "opencl"}]
    parts = [{"kind": "cuda", "arch": "sm_80", "model": "x"}, {"kind": "opencl"}]
    composite = {"kind": "composite", "devices": members}
    assert relevant_part(composite) == {"kind": "composite", "devices": parts}
    labelled = {"kind": "composite", "devices": {"a": members[0]}}
    assert relevant_part(labelled) == {"kind": "composite", "devices": {"a": parts[0]}}


@given(st.sampled_from(["ext_dev", "hexagon", "metal", "cuda"]), st.data())
def test_a_verdict_about_devices_is_that_of_the_relevant_parts(
    kind: str, data: st.DataObject
) -> None:
    values = st.dictionaries(st.sampled_from([*FACTS, "mcpu"]), st.sampled_from(["x", "y"]))
    code, machine = ({"kind": kind, **data.draw(values)} for _ in range(2))
    expected = verdict(code, machine)
    assert verdict(relevant_part(code), relevant_part(machine)) == expected


@given(any_leaf, any_leaf, st.booleans())
def test_a_verdict_is_that_of_the_relevant_parts(
    one: dict[str, Any], other: dict[str, Any], is_host: bool
) -> None:
    code = {"kind": "cuda", "arch": "sm_80", "host": one, **FACTS} if is_host else {**one, **FACTS}
    machine = {"kind": "cuda", "arch": "sm_80", "host": other, **FACTS} if is_host else other
    expected = verdict(code, machine)
    assert verdict(relevant_part(code), relevant_part(machine)) == expected
