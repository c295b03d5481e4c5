"""Features that one list switches both on and off."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.checks.feature_signs import sign_faults
from tests.domain.builders import Library, faults, target_of
from tests.domain.strategies import features

CPU = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "x86-64"}
GPU = {"kind": "rocm", "mcpu": "gfx90a"}
DSP = {"kind": "hexagon", "mtriple": "hexagon", "mcpu": "hexagonv68"}


@pytest.mark.parametrize("node", [CPU, GPU, DSP], ids=lambda node: node["kind"])
def test_a_feature_with_both_signs_is_rejected_with_both_items(node: dict[str, Any]) -> None:
    body = {**node, "mattr": ["+avx512f", "+sse", "-avx512f"]}
    fault = faults(body)["/mattr/2"]
    assert fault.code == "FEATURE_BOTH_SIGNS"
    assert "+avx512f at /mattr/0" in fault.message
    assert "-avx512f" in fault.message
    assert fault.expected == "either +avx512f or -avx512f"


def test_hosts_devices_and_mixins_are_checked() -> None:
    both = {"mattr": ["-a", "+a"]}
    body = {"kind": "composite", "devices": [{**GPU, **both}], "host": {**CPU, **both}}
    assert set(faults(body)) == {"/devices/0/mattr/1", "/host/mattr/1"}
    assert set(faults({"host": both})) == {"/host/mattr/1"}
    assert set(faults(both)) == {"/mattr/1"}


@pytest.mark.parametrize(
    "features",
    [
        [],
        ["+a"],
        ["+a", "-b"],
        ["+a", "+a"],
        ["-a", "-a"],
        ["+a", "-A"],
        ["+a", "-a2"],
        ["+a-b", "-a"],
    ],
)
def test_other_lists_are_accepted(features: list[str]) -> None:
    assert target_of({**CPU, "mattr": features})["mattr"] == features


@pytest.mark.parametrize(
    ("edit", "result"),
    [
        ({"$append": ["-avx"]}, ["+sse", "-avx"]),
        ({"$append": ["+b", "-b"]}, ["+avx", "+sse", "-b"]),
        (["-avx"], ["-avx"]),
    ],
)
def test_an_override_leaves_no_feature_with_both_signs(edit: Any, result: list[str]) -> None:
    library = Library()
    library.publish("t/cpu", {**CPU, "mattr": ["+avx", "+sse"]})
    library.publish("t/patch", {"mattr": edit})
    assert target_of({"tag": "t/cpu", "mattr": edit}, library)["mattr"] == result
    assert target_of({"tag": ["t/cpu", "t/patch"]}, library)["mattr"] == result


def test_a_body_that_inherits_both_signs_is_rejected_and_can_mend_them() -> None:
    library = Library()
    library.put("t/old", {**CPU, "mattr": ["+avx", "-avx"]})  # as release 0.1 accepted it
    fault = faults({"tag": "t/old", "num-cores": 4}, library)["/mattr/1"]
    assert fault.code == "FEATURE_BOTH_SIGNS"
    assert "t/old@1.0.0" in fault.message
    corrected = {"tag": "t/old", "mattr": {"$append": ["-avx"]}}
    assert target_of(corrected, library)["mattr"] == ["-avx"]


@given(st.lists(features, max_size=6))
def test_a_list_is_faultless_iff_no_feature_has_both_signs(items: list[str]) -> None:
    on, off = ({item[1:] for item in items if item[0] == sign} for sign in "+-")
    assert bool(list(sign_faults(items, ""))) == bool(on & off)


def test_what_is_no_feature_is_left_to_the_schema() -> None:
    assert not list(sign_faults([1, None, "", "a", {}], ""))
