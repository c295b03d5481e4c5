"""AMD's GPUs, devices whose driver compiles, and how many there are."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, strategies as st

from ttag_rules.compatibility.devices.amd import GENERIC
from ttag_rules.compatibility.devices.matching import best_matching
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import ANSWERS, Answer, severity, worst

YES, CONDITIONAL, UNKNOWN, NO = Answer.YES, Answer.CONDITIONAL, Answer.UNKNOWN, Answer.NO
Target = dict[str, Any]


def amd(mcpu: str, *mattr: str) -> Target:
    return {"kind": "rocm", "mcpu": mcpu, "mattr": list(mattr)}


AMD = [
    (amd("gfx90a"), amd("gfx90a"), YES),
    (amd("gfx90a"), amd("gfx90a", "+xnack"), YES),  # any
    (amd("gfx90a", "+xnack"), amd("gfx90a", "+xnack"), YES),
    (amd("gfx90a", "+xnack"), amd("gfx90a", "-xnack"), NO),
    (amd("gfx90a", "+xnack"), amd("gfx90a"), UNKNOWN),
    (amd("gfx90a", "-sramecc"), amd("gfx90a", "+sramecc"), NO),
    (amd("gfx1100"), amd("gfx1101"), NO),
    (amd("gfx942"), amd("gfx950"), NO),
    (amd("gfx9-4-generic"), amd("gfx942"), YES),
    (amd("gfx9-4-generic"), amd("gfx90a"), NO),
    (amd("gfx9-generic"), amd("gfx906"), YES),
    (amd("gfx9-generic"), amd("gfx908"), NO),
    (amd("gfx10-3-generic"), amd("gfx1032"), YES),
    (amd("gfx10-3-generic"), amd("gfx1012"), NO),
    (amd("gfx11-generic"), amd("gfx1151"), YES),
    (amd("gfx11-generic"), amd("gfx1201"), NO),
    (amd("gfx11-generic"), amd("gfx11-generic"), YES),
    (amd("gfx1100"), amd("gfx11-generic"), UNKNOWN),
    (amd("gfx1100"), {"kind": "rocm"}, UNKNOWN),
    (amd("gfx90a"), amd("gfx90a:sramecc+:xnack-"), YES),
    (amd("gfx90a:xnack+"), amd("gfx90a:sramecc+:xnack+"), YES),
    (amd("gfx90a:xnack+"), amd("gfx90a:xnack-"), NO),
    (amd("gfx90a:xnack+"), amd("gfx90a"), UNKNOWN),
    (amd("gfx12-5-generic"), amd("gfx1250"), UNKNOWN),  # LLVM 22 does not know it
    ({**amd("gfx90a"), "mattr": None}, {**amd("gfx90a"), "mattr": 5}, YES),
    ({**amd("gfx90a"), "mattr": ["", None]}, amd("gfx90a"), YES),
]


@pytest.mark.parametrize(("code", "machine", "answer"), AMD)
def test_amd_code_runs_on_its_target_id(code: Target, machine: Target, answer: Answer) -> None:
    assert verdict(code, machine).answer is answer


def test_no_processor_is_in_two_generic_ones() -> None:
    members = [name for names in GENERIC.values() for name in names]
    assert len(members) == len(set(members))


LIMITS = [
    ({"max_threads_per_block": 256}, {"max_threads_per_block": 1024}, YES),
    ({"max_threads_per_block": 1024}, {"max_threads_per_block": 256}, NO),
    ({"max_threads_per_block": 256}, {}, UNKNOWN),
    ({}, {"max_threads_per_block": 256}, YES),
    ({"supports_float16": True}, {"supports_float16": True}, YES),
    ({"supports_float16": True}, {"supports_float16": False}, NO),
    ({"supports_float16": True}, {}, UNKNOWN),
    ({"supports_float16": False}, {"supports_float16": True}, YES),
    ({"thread_warp_size": 32}, {"thread_warp_size": 64}, NO),
    ({"thread_warp_size": 1}, {"thread_warp_size": 64}, YES),  # it uses no subgroups
    ({"thread_warp_size": 1}, {}, YES),
    ({"texture_spatial_limit": 16384}, {"texture_spatial_limit": 32768}, YES),
    ({"texture_spatial_limit": 32768}, {"texture_spatial_limit": 16384}, NO),
    ({"image_base_address_alignment": 64}, {"image_base_address_alignment": 32}, YES),
    ({"image_base_address_alignment": 32}, {"image_base_address_alignment": 64}, NO),
    ({"mattr": ["+a"]}, {"mattr": ["+b"]}, UNKNOWN),
    ({"max_threads_per_block": "many"}, {"max_threads_per_block": 4}, UNKNOWN),
    ({"supported_subgroup_operations": 5}, {"supported_subgroup_operations": 7}, YES),
    ({"supported_subgroup_operations": 8}, {"supported_subgroup_operations": 7}, NO),
    ({"device_name": "A"}, {"device_name": "B"}, YES),
    ({"driver_version": 3}, {}, YES),
]


@pytest.mark.parametrize(("code", "machine", "answer"), LIMITS)
def test_code_that_a_driver_compiles_needs_what_it_states(
    code: Target, machine: Target, answer: Answer
) -> None:
    result = verdict({"kind": "vulkan", **code}, {"kind": "vulkan", **machine})
    assert result.answer is answer, result.reason


KINDS = [
    ({"kind": "cuda", "arch": "sm_80"}, {"kind": "rocm", "mcpu": "gfx90a"}, NO),
    ({"kind": "metal"}, {"kind": "cuda", "arch": "sm_80"}, NO),
    ({"kind": "opencl"}, {"kind": "cuda", "arch": "sm_80"}, UNKNOWN),  # it may have a driver
    ({"kind": "cuda", "arch": "sm_80"}, {"kind": "vulkan"}, UNKNOWN),
    ({"kind": "cuda", "arch": "sm_80"}, {"kind": "llvm", "mcpu": "haswell"}, UNKNOWN),
    ({"kind": "ext_dev", "model": "a"}, {"kind": "ext_dev", "model": "a"}, YES),
    ({"kind": "ext_dev", "model": "a"}, {"kind": "ext_dev", "model": "b"}, UNKNOWN),
]


@pytest.mark.parametrize(("code", "machine", "answer"), KINDS)
def test_other_kinds_deny_only_other_makers(code: Target, machine: Target, answer: Answer) -> None:
    assert verdict(code, machine).answer is answer


A100, H100 = {"kind": "cuda", "arch": "sm_80"}, {"kind": "cuda", "arch": "sm_90"}


def composite(*devices: Target) -> Target:
    return {"kind": "composite", "devices": list(devices)}


def test_code_for_several_devices_needs_as_many() -> None:
    assert verdict(composite(A100, A100), composite(A100, A100)).answer is YES
    result = verdict(composite(A100, A100, A100), composite(A100, A100))
    assert result.answer is NO
    assert result.reason == "The code is for 3 devices, and the machine has 2 that run it."


def test_alike_devices_of_a_machine_are_one_leaf_with_a_count() -> None:
    eight = {**A100, "hardware": {"accelerators": 8}}
    assert verdict(composite(*[A100] * 8), eight).answer is YES
    assert verdict(composite(*[A100] * 9), eight).answer is NO
    many = {**A100, "hardware": {"accelerators": 64}}
    assert verdict(A100, composite(many, H100)).answer is YES


def test_each_device_gets_the_one_that_runs_it() -> None:
    machine = composite(H100, A100)
    assert verdict(composite(A100, H100), machine).answer is YES
    result = verdict(composite(H100, H100), machine)
    assert result.answer is NO
    assert result.reason == "The code is for 2 devices, and the machine has 1 that run it."


def test_more_devices_than_are_matched_are_unknown() -> None:
    assert verdict(composite(*[A100] * 65), composite(*[A100] * 65)).answer is UNKNOWN


answers = st.sampled_from(ANSWERS)
matrices = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(answers, min_size=width, max_size=width), min_size=1, max_size=5
    )
)


@given(matrices)
def test_no_other_matching_is_better(matrix: list[list[Answer]]) -> None:
    columns = range(len(matrix[0]))
    possible = [
        worst(row[column] for row, column in zip(matrix, chosen, strict=True))
        for chosen in permutations(columns, len(matrix))
    ]
    best = min(possible, key=severity, default=NO)
    matching = best_matching(matrix)
    if matching is None:
        assert best is NO
    else:
        assert len(set(matching)) == len(matrix)
        pairs = zip(matrix, matching, strict=True)
        assert worst(row[column] for row, column in pairs) is best
