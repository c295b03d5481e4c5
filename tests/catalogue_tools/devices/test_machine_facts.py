"""Memory of boards, modules, phones and tablets."""

from functools import cache
from typing import Any

import pytest

from catalogue_tools.devices import machines, phones
from catalogue_tools.devices.machine_facts import MEMORY, machine_facts, memory
from catalogue_tools.facts import read_table
from catalogue_tools.gpus import jetson
from catalogue_tools.hardware import GIB, MIB
from catalogue_tools.tags import GeneratedTag


def facts(tag: str) -> dict[str, Any]:
    return {name: value for stated in machine_facts(tag) for name, value in stated.facts.items()}


@cache
def products() -> dict[str, dict[str, Any]]:
    """Return the hardware facts of machines by tag."""
    items: list[object] = [*machines.tags(), *phones.tags(), *jetson.tags()]
    tags = [item for item in items if isinstance(item, GeneratedTag)]
    return {tag.name: tag.body["hardware"] for tag in tags}  # type: ignore[misc]


def test_one_size_is_the_memory_and_several_are_options() -> None:
    assert memory([GIB]) == {"memory_bytes": GIB}
    assert memory([4 * GIB, 2 * GIB]) == {"memory_options_bytes": [2 * GIB, 4 * GIB]}


@pytest.mark.parametrize(
    ("tag", "sizes"),
    [
        ("raspberry-pi/400", [4]),
        ("radxa/zero2", [4]),
        ("google/pixel-7", [8]),
        ("raspberry-pi/4-model-b", [1, 2, 4, 8]),
        ("radxa/rock-5b", [4, 8, 16]),
        ("oneplus/8t", [8, 12]),
        ("nothing/phone-1", [8, 12]),  # a device tree names it, a page its memory
        ("nvidia/jetson-agx-orin-64gb", [64]),
        ("nvidia/jetson-orin-nano", [4, 8]),
        ("nvidia/jetson-xavier-nx", [8, 16]),
    ],
)
def test_machine_states_its_memory(tag: str, sizes: list[int]) -> None:
    others = {"memory_type", "launched"}
    stated = {name: value for name, value in facts(tag).items() if name not in others}
    assert stated == memory([size * GIB for size in sizes])
    assert products()[tag].items() >= stated.items()


@pytest.mark.parametrize(
    "tag",
    [
        "radxa/compute-module-5-io",  # carriers: the memory is the module's
        "radxa/compute-module-3-io",
        "raspberry-pi/compute-module-4-io",
        "pine64/rock64",  # only the largest size is stated
        "pine64/pine64",
        "pine64/quartz64-b",
        "hardkernel/odroid-c2",  # no source
        "nvidia/jetson-tx1",
        "oneplus/pad-3",  # a page of another form
        "xiaomi/mi-8-lite",
    ],
)
def test_unknown_memory_is_not_stated(tag: str) -> None:
    assert facts(tag) == {}
    assert not products()[tag].keys() & {"memory_bytes", "memory_options_bytes"}


def test_module_states_its_year_and_not_the_power_of_one_mode() -> None:
    assert products()["nvidia/jetson-agx-xavier"]["launched"] == "2018"
    assert "power_watts" not in products()["nvidia/jetson-agx-xavier"]


def test_no_carrier_and_no_unknown_machine_stands_in_a_table() -> None:
    tags = [row["tag"] for table in MEMORY for row in read_table(table).rows]
    assert not [tag for tag in tags if tag.endswith("-io")]
    assert set(tags) <= products().keys()
    assert len(tags) == len(set(tags))


def test_nothing_states_a_size_and_several() -> None:
    for tag, stated in products().items():
        assert not {"memory_bytes", "memory_options_bytes"} <= stated.keys(), tag
        sizes = stated.get("memory_options_bytes", [GIB])
        assert sizes == sorted(set(sizes))
        assert all(size % MIB == 0 for size in sizes)


@pytest.mark.parametrize(
    ("tag", "memory_type"),
    [
        ("radxa/rock-5b", "LPDDR4X"),
        ("radxa/rock-5b-plus", "LPDDR5"),
        ("radxa/cubie-a5e", None),  # LPDDR4 or LPDDR4X
        ("radxa/rock-pi-e", None),  # DDR3 or DDR4
    ],
)
def test_type_of_memory_is_stated_where_it_is_one(tag: str, memory_type: str | None) -> None:
    assert facts(tag).get("memory_type") == memory_type


@pytest.mark.parametrize(
    ("tag", "gpu", "npu"),
    [
        ("radxa/rock-5b", "Mali-G610", "Rockchip NPU, 6 TOPS"),
        ("google/pixel-7", "Mali-G710", None),
        ("samsung/galaxy-tab-s7", "Adreno 650", None),  # of the chip that its one is a part of
        ("hardkernel/odroid-n2", None, None),
        ("amd/zcu111", None, None),  # its chip is of a family of which parts have a GPU
    ],
)
def test_machine_states_the_parts_of_its_chip(tag: str, gpu: str | None, npu: str | None) -> None:
    assert (products()[tag].get("gpu"), products()[tag].get("npu")) == (gpu, npu)


def test_counts_of_machines_with_memory() -> None:
    stated = {tag: row for tag, row in products().items() if ":" not in tag}
    by_kind = {"board": 0, "phone": 0}
    for row in stated.values():
        kind = "phone" if row["category"] in {"phone", "tablet"} else "board"
        by_kind[kind] += "memory_bytes" in row or "memory_options_bytes" in row
    assert by_kind["board"] >= 45
    assert by_kind["phone"] >= 255
    phones_with_one = [
        tag
        for tag, row in stated.items()
        if "memory_bytes" in row and row["category"] in {"phone", "tablet"}
    ]
    assert len(phones_with_one) >= 90
