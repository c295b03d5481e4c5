"""What can be searched for in a target."""

from typing import Any

import pytest
from hypothesis import given

from registry.domain.attributes import (
    MAX_ATTRIBUTES,
    Facts,
    attributes,
    facts,
    is_hardware,
    name_of,
    text_of,
)
from registry.domain.document import Json
from registry.domain.pointer import PointerUnknown
from tests.domain.builders import leaves, target_of
from tests.domain.strategies import patches, targets

BOARD: Json = {
    "kind": "cuda",
    "arch": "sm_53",
    "keys": ["cuda", "gpu"],
    "max_threads_per_block": 1024,
    "host": {"kind": "llvm", "num-cores": 4},
    "flow": {"tir.disable_vectorize": True, "a.b": [1, 2.5, False]},
}


def found(target: Json) -> list[tuple[str, str, str, float | None]]:
    return [(each.pointer, each.name, each.text, each.number) for each in attributes(target)]


def test_every_scalar_stands_by_its_pointer_those_near_the_root_first() -> None:
    assert found(BOARD) == [
        ("/arch", "arch", "sm_53", None),
        ("/keys", "keys", "cuda", None),
        ("/keys", "keys", "gpu", None),
        ("/kind", "kind", "cuda", None),
        ("/max_threads_per_block", "max_threads_per_block", "1024", 1024.0),
        ("/flow/a.b", "a.b", "1", 1.0),
        ("/flow/a.b", "a.b", "2.5", 2.5),
        ("/flow/a.b", "a.b", "false", None),
        ("/flow/tir.disable_vectorize", "tir.disable_vectorize", "true", None),
        ("/host/kind", "kind", "llvm", None),
        ("/host/num-cores", "num-cores", "4", 4.0),
    ]


def test_devices_stand_by_their_place_in_natural_order() -> None:
    listed: Json = {"kind": "composite", "devices": [{"kind": "c"}] * 11}
    pointers = [each.pointer for each in attributes(listed)][1:]
    assert pointers == [f"/devices/{at}/kind" for at in range(11)]


def test_what_a_mixin_appends_is_what_it_has_and_what_it_takes_away_is_not() -> None:
    mixin: Json = {"libs": {"$append": ["a"], "$remove": ["b"]}, "model": None}
    assert found(mixin) == [
        ("/libs/$append", "libs", "a", None),
        ("/libs/$remove", "$remove", "b", None),
    ]


def test_an_item_that_stands_twice_is_one_value() -> None:
    assert len(attributes({"kind": "c", "libs": ["a", "a"]})) == 2


def test_of_a_monstrous_target_the_values_near_the_root_are_kept() -> None:
    deep: Json = {f"m{at}": {"kind": "c", "libs": [f"l{n}" for n in range(60)]} for at in range(60)}
    kept = attributes({"kind": "composite", "devices": deep})
    assert len(kept) == MAX_ATTRIBUTES
    assert kept[0].pointer == "/kind"


@given(targets)
def test_nothing_is_left_out_and_nothing_made_up(body: Json) -> None:
    target = target_of(body)
    expected = {
        (pointer, text_of(item))
        for pointer, value in leaves(target).items()
        for item in (value if isinstance(value, list) else [value])
        if not isinstance(item, dict)
    }
    assert {(each.pointer, each.text) for each in attributes(target)} == expected
    assert {each.name for each in attributes(target)} == {name_of(each) for each, _ in expected}


@pytest.mark.parametrize(
    ("pointer", "name"),
    [("", ""), ("/", ""), ("/host/mcpu", "mcpu"), ("/a~1b", "a/b"), ("/libs/$append", "libs")],
)
def test_name_of_a_pointer(pointer: str, name: str) -> None:
    assert name_of(pointer) == name


@pytest.mark.parametrize("pointer", ["mcpu", "/a~2", "/~"])
def test_what_is_no_pointer_has_no_name(pointer: str) -> None:
    with pytest.raises(PointerUnknown):
        name_of(pointer)


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("/hardware/cores", True),
        ("/host/hardware/vendor", True),
        ("/devices/hardware/hardware/vendor", True),
        ("/devices/hardware/kind", False),
        ("/devices/0/kind", False),
        ("/devices", False),
        ("", False),
    ],
)
def test_facts_about_hardware_are_told_from_a_device_of_that_name(
    pointer: str, expected: bool
) -> None:
    assert is_hardware(pointer) == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ({"kind": "cuda", "arch": "sm_90"}, Facts("cuda", "NVIDIA", "sm_90", "")),
        ({"kind": "nvptx", "mcpu": "sm_80"}, Facts("nvptx", "NVIDIA", "sm_80", "")),
        ({"kind": "rocm", "mcpu": "gfx942"}, Facts("rocm", "AMD", "gfx942", "")),
        (
            {"kind": "hexagon", "mcpu": "hexagonv68", "mtriple": "hexagon"},
            Facts("hexagon", "Qualcomm", "hexagonv68", ""),
        ),
        (
            {"kind": "llvm", "mcpu": "haswell", "mtriple": "x86_64-unknown-linux-gnu"},
            Facts("llvm", "", "x86_64", ""),
        ),
        ({"kind": "metal"}, Facts("metal", "Apple", "", "")),
        (
            {"kind": "llvm", "hardware": {"vendor": "Arm", "family": "Neoverse"}},
            Facts("llvm", "Arm", "", "Neoverse"),
        ),
        ({"kind": "cuda", "hardware": {"vendor": "Acme"}}, Facts("cuda", "Acme", "", "")),
        ({"kind": "composite", "arch": "sm_90"}, Facts("composite", "", "", "")),
        ({"executor": {"kind": "aot"}}, Facts("", "", "", "")),
        ({"arch": None, "mtriple": None, "hardware": None}, Facts("", "", "", "")),
        ({"hardware": {"vendor": None, "family": None}}, Facts("", "", "", "")),
    ],
)
def test_facts(target: Any, expected: Facts) -> None:
    assert facts(target) == expected


@given(patches())
def test_every_mixin_has_facts(body: Json) -> None:
    target = target_of(body)
    assert facts(target).kind == ""
    assert isinstance(attributes(target), tuple)
