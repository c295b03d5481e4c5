"""The values of a target as cells of tables."""

from typing import Any

import pytest

from registry.domain.resolution.provenance_tree import Leaf
from registry.services.kinds import kinds
from registry.web.versions.values import TargetValue, TargetValues
from ttag_rules.echo import shorten

TARGET: dict[str, Any] = {
    "kind": "composite",
    "devices": {
        "gpu": {
            "hardware": {"memory_bytes": 4 << 30, "peak_ops_per_s": {"fp32": 10**12}},
            "executor": {"kind": "graph"},
            "kind": "cuda",
            "max_shared_memory_per_block": 49152,
            "host": {"kind": "llvm", "num-cores": 4},
        }
    },
}


def value(content: Any, unit: str = "") -> TargetValue:
    return TargetValue("/a", "", content, unit=unit)


@pytest.mark.parametrize(
    ("cell", "readable", "raw"),
    [
        (value("sm_53"), "sm_53", ""),
        (value(["+neon", "+crc"]), "+neon, +crc", ""),
        (value([]), "[]", ""),
        (value([4 << 30, 8 << 30], "bytes"), "4 GiB, 8 GiB", ""),
        (value([4, 8]), "4, 8", ""),
        (value(True), "true", ""),
        (value(None), "null", ""),
        (value(7), "7", ""),
        (value(4, "cores"), "4 cores", ""),
        (value(1024, "threads"), "1,024 threads", ""),
        (value(49152, "bytes"), "48 KiB", "49152"),
        (value(512, "bytes"), "512 B", ""),
    ],
)
def test_people_see_units_and_the_number_that_a_prefix_hides(
    cell: TargetValue, readable: str, raw: str
) -> None:
    assert (cell.readable, cell.raw) == (readable, raw)


@pytest.mark.parametrize(
    ("cell", "beside"),
    [
        (value(4, "cores"), "cores"),
        (value(1024, "threads"), "threads"),
        (value(512, "bytes"), "B"),
        (value(49152, "bytes"), "48 KiB"),
        (value([4 << 30, 8 << 30], "bytes"), "4 GiB, 8 GiB"),
        (value(7), ""),
        (value("8", "bytes"), ""),
        (value(True, "bytes"), ""),
    ],
)
def test_a_unit_stands_beside_a_number_without_repeating_it(cell: TargetValue, beside: str) -> None:
    assert cell.beside == beside


@pytest.mark.parametrize("content", ["8", True, None, [8]])
def test_only_numbers_are_numbers(content: Any) -> None:
    cell = value(content, "bytes")
    assert not cell.is_number
    assert cell.quantity is None


def test_long_text_is_truncated() -> None:
    assert shorten("a" * 240, 240) == "a" * 240
    assert shorten("a" * 241, 240) == "a" * 239 + "…"
    assert value("é" * 999).short == '"' + "é" * 238 + "…"


@pytest.mark.django_db
def test_values_of_a_node_come_in_reading_order_without_those_of_inner_nodes() -> None:
    values = TargetValues(TARGET, kinds.current_kinds().kinds)
    gpu = values.of_node(values.nodes["/devices/gpu"])
    assert [(cell.rest, cell.label, cell.human) for cell in gpu] == [
        ("/kind", "kind", ""),
        ("/executor/kind", "executor/kind", ""),
        ("/max_shared_memory_per_block", "max_shared_memory_per_block", "48 KiB"),
        ("/hardware/memory_bytes", "Memory", "4 GiB"),
        ("/hardware/peak_ops_per_s/fp32", "Peak ops fp32", "1 Top/s"),
    ]
    assert [cell.rest for cell in values.of_node(values.nodes[""])] == ["/kind"]
    assert len(values.of_node(values.nodes["/devices/gpu"], 2)) == 2


@pytest.mark.django_db
def test_values_link_to_the_option_of_their_kind() -> None:
    values = TargetValues(TARGET, kinds.current_kinds().kinds)
    options = {cell.rest: cell.option for cell in values.of_node(values.nodes["/devices/gpu"])}
    assert options == {
        "/kind": "/kinds/cuda",
        "/executor/kind": "/kinds/executor/graph",
        "/max_shared_memory_per_block": "/kinds/cuda#option-max_shared_memory_per_block",
        "/hardware/memory_bytes": "/kinds/hardware#option-memory_bytes",
        "/hardware/peak_ops_per_s/fp32": "/kinds/hardware#option-peak_ops_per_s",
    }
    unknown = values.value("/devices/gpu/hardware/sources/all/0", Leaf("https://a.example", None))
    assert unknown.option == ""


@pytest.mark.django_db
def test_the_version_itself_is_no_origin() -> None:
    values = TargetValues(TARGET, kinds.current_kinds().kinds, own="acme/a@1.0.0")
    own = values.value("/kind", Leaf("composite", "acme/a@1.0.0"))
    inherited = values.value("/kind", Leaf("composite", "acme/b@1.0.0"))
    assert (own.origin, inherited.origin) == (None, "acme/b@1.0.0")
