"""The searchable attributes of a target."""

from typing import Any

import pytest
from hypothesis import given

from registry.domain.document import Json
from registry.domain.search.attributes import (
    MAX_ATTRIBUTES,
    Facts,
    attributes,
    is_hardware,
    option_name,
    scalar_text,
    searchable_attributes,
    target_facts,
)
from tests.domain.builders import leaves, target_of
from tests.domain.strategies import patches, targets
from ttag_rules.pointer import PointerUnknown

BOARD: Json = {
    "kind": "cuda",
    "arch": "sm_53",
    "keys": ["cuda", "gpu"],
    "max_threads_per_block": 1024,
    "host": {"kind": "llvm", "num-cores": 4},
    "flow": {"tir.disable_vectorize": True, "a.b": [1, 2.5, False]},
}


def rows(target: Json) -> list[tuple[str, str, str, float | None]]:
    return [
        (attribute.pointer, attribute.name, attribute.text, attribute.number)
        for attribute in attributes(target)
    ]


def test_scalars_are_listed_by_pointer_nearest_to_the_root_first() -> None:
    assert rows(BOARD) == [
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


def test_devices_are_listed_in_natural_order() -> None:
    listed: Json = {"kind": "composite", "devices": [{"kind": "c"}] * 11}
    pointers = [attribute.pointer for attribute in attributes(listed)][1:]
    assert pointers == [f"/devices/{number}/kind" for number in range(11)]


def test_a_mixins_appended_items_are_attributes_and_removed_ones_are_not() -> None:
    mixin: Json = {"libs": {"$append": ["a"], "$remove": ["b"]}, "model": None}
    assert rows(mixin) == [
        ("/libs/$append", "libs", "a", None),
        ("/libs/$remove", "$remove", "b", None),
    ]


def test_a_repeated_item_is_one_attribute() -> None:
    assert len(attributes({"kind": "c", "libs": ["a", "a"]})) == 2


def test_only_values_near_the_root_of_a_huge_target_are_kept() -> None:
    deep: Json = {
        f"m{number}": {"kind": "c", "libs": [f"l{n}" for n in range(60)]} for number in range(60)
    }
    kept = attributes({"kind": "composite", "devices": deep})
    assert len(kept) == MAX_ATTRIBUTES
    assert kept[0].pointer == "/kind"
    kept = searchable_attributes(attributes({"mtriple": "x86_64-linux-gnu", "devices": deep}))
    assert len(kept) == MAX_ATTRIBUTES
    assert "/mtriple/os" in {attribute.pointer for attribute in kept}


def test_parts_of_a_triple_have_pointers_below_it() -> None:
    target: Json = {"kind": "cuda", "host": {"mtriple": "armv7-alpine-linux-musleabihf"}}
    values = attributes(target)
    parts = set(searchable_attributes(values)) - set(values)
    assert {(part.pointer, part.name, part.text) for part in parts} == {
        ("/host/mtriple/arch", "arch", "arm"),
        ("/host/mtriple/arch", "arch", "armv7"),
        ("/host/mtriple/vendor", "vendor", "alpine"),
        ("/host/mtriple/os", "os", "linux"),
        ("/host/mtriple/libc", "libc", "musl"),
        ("/host/mtriple/abi", "abi", "eabihf"),
    }
    assert not any(part.number for part in parts)


@pytest.mark.parametrize(
    ("triple", "expected"),
    [
        ("x86_64-unknown-linux-gnu", {"arch": "x86_64", "os": "linux", "libc": "gnu"}),
        ("aarch64-linux-android21", {"arch": "aarch64", "os": "linux", "libc": "android"}),
        ("nvptx64-nvidia-cuda", {"arch": "nvptx64", "vendor": "nvidia", "os": "cuda"}),
        ("hexagon", {"arch": "hexagon"}),
    ],
)
def test_unspecified_parts_of_a_triple_are_left_out(triple: str, expected: dict[str, str]) -> None:
    values = attributes({"mtriple": triple})
    parts = set(searchable_attributes(values)) - set(values)
    assert {part.name: part.text for part in parts} == expected


@pytest.mark.parametrize(
    "target",
    [{"mtriple": None}, {"devices": {"mtriple": {"kind": "cuda", "arch": "sm_90"}}}],
)
def test_a_removed_triple_and_a_device_named_mtriple_are_not_parsed(target: Json) -> None:
    assert searchable_attributes(attributes(target)) == attributes(target)


@given(targets)
def test_searchable_adds_only_parts_of_triples(body: Json) -> None:
    values = attributes(target_of(body))
    rows = searchable_attributes(values)
    assert [attribute for attribute in rows if attribute in set(values)] == list(values)
    triples = {value.pointer for value in values if value.name == "mtriple"}
    parts = set(rows) - set(values)
    assert {part.pointer.rpartition("/")[0] for part in parts} == triples


@given(targets)
def test_attributes_are_exactly_the_values_of_the_target(body: Json) -> None:
    target = target_of(body)
    expected = {
        (pointer, scalar_text(item))
        for pointer, value in leaves(target).items()
        for item in (value if isinstance(value, list) else [value])
        if not isinstance(item, dict)
    }
    assert {(attribute.pointer, attribute.text) for attribute in attributes(target)} == expected
    assert {attribute.name for attribute in attributes(target)} == {
        option_name(attribute) for attribute, _ in expected
    }


@pytest.mark.parametrize(
    ("pointer", "name"),
    [("", ""), ("/", ""), ("/host/mcpu", "mcpu"), ("/a~1b", "a/b"), ("/libs/$append", "libs")],
)
def test_option_name_of_a_pointer(pointer: str, name: str) -> None:
    assert option_name(pointer) == name


@pytest.mark.parametrize("pointer", ["mcpu", "/a~2", "/~"])
def test_a_malformed_pointer_has_no_option_name(pointer: str) -> None:
    with pytest.raises(PointerUnknown):
        option_name(pointer)


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
def test_hardware_is_distinguished_from_a_device_of_that_name(pointer: str, expected: bool) -> None:
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
        ({"kind": "llvm", "mtriple": "arm64-apple-macos"}, Facts("llvm", "", "aarch64", "")),
        ({"kind": "llvm", "mtriple": "armv7a-linux-eabi"}, Facts("llvm", "", "arm", "")),
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
def test_facts_of_targets(target: Any, expected: Facts) -> None:
    assert target_facts(target) == expected


@given(patches())
def test_every_mixin_has_facts(body: Json) -> None:
    target = target_of(body)
    assert target_facts(target).kind == ""
    assert isinstance(attributes(target), tuple)
