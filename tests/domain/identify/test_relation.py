"""Relations of tags to readings, value by value."""

from typing import Any

import pytest

from registry.domain.identify.readings import Fact, Reading
from registry.domain.identify.relation import contradicts, corrected, relate

CARD = {"kind": "cuda", "arch": "sm_86", "hardware": {"model": "X", "memory_bytes": 100}}
SOLD = {"kind": "llvm", "hardware": {"memory_options_bytes": [100, 200]}}
BOARD = {"kind": "cuda", "arch": "sm_53", "host": {"kind": "llvm", "mcpu": "cortex-a57"}}


def reading(body: dict[str, Any], *facts: str, stated: Any = "text") -> Reading:
    return Reading(body, tuple(Fact(pointer, 0, 1, stated) for pointer in facts))


def named(body: dict[str, Any], target: dict[str, Any], *facts: str) -> Any:
    return relate(reading(body, *facts), target, is_named=True)


@pytest.mark.parametrize(
    ("body", "target", "relation", "node"),
    [
        ({"kind": "cuda", "arch": "sm_86"}, CARD, "same", ""),
        ({"hardware": {"model": "x"}}, CARD, "same", ""),
        ({"kind": "llvm", "mcpu": "cortex-a57"}, BOARD, "contains", "/host"),
        (
            {"kind": "llvm"},
            {"kind": "composite", "devices": [{"kind": "llvm"}]},
            "contains",
            "/devices/0",
        ),
        ({"kind": "cuda", "hardware": {"memory_bytes": 50}}, CARD, "near", ""),
        ({"kind": "vulkan"}, CARD, "near", ""),
    ],
)
def test_relation(body: dict[str, Any], target: dict[str, Any], relation: str, node: str) -> None:
    related = named(body, target)
    assert (related.relation, related.node) == (relation, node)


@pytest.mark.parametrize(
    ("pointer", "tag", "text"),
    [
        ("/hardware/memory_bytes", 85899345920, 85520809984),
        ("/arch", "sm_90a", "sm_90"),
        ("/hardware/family", "Zen 3", "zen3"),
        ("/mattr", ["+a", "+b"], ["+b", "+a"]),
    ],
)
def test_spellings_of_one_value_are_equal(pointer: str, tag: Any, text: Any) -> None:
    name = pointer.rpartition("/")[2]
    pair = [
        {"hardware": {name: value}} if "hardware" in pointer else {name: value}
        for value in (text, tag)
    ]
    assert named({"kind": "x"} | pair[0], {"kind": "x"} | pair[1], pointer).relation == "same"


def test_an_assumed_system_is_no_difference() -> None:
    one = reading(
        {"kind": "llvm", "mtriple": "aarch64-unknown-linux-gnu"}, "/mtriple", stated="inferred"
    )
    other = {"kind": "llvm", "mtriple": "aarch64-linux-android"}
    assert relate(one, other, is_named=True) is not None
    assert getattr(relate(one, other, is_named=True), "relation", "") == "same"


def test_an_option_that_the_tag_lacks_is_a_difference() -> None:
    related = named({"kind": "llvm", "mattr": ["+sve"]}, {"kind": "llvm"}, "/mattr")
    assert [(each.pointer, each.tag, each.text) for each in related.differences] == [
        ("/mattr", None, ["+sve"])
    ]


def test_a_fact_that_the_tag_lacks_is_no_difference() -> None:
    assert (
        named({"kind": "cuda", "hardware": {"threads": 8}}, CARD, "/hardware/threads").relation
        == "same"
    )


@pytest.mark.parametrize(
    ("size", "relation"), [(100, "same"), (95, "same"), (200, "same"), (50, "near"), (400, "near")]
)
def test_memory_is_one_of_the_sizes_that_are_sold(size: int, relation: str) -> None:
    assert named({"kind": "llvm", "hardware": {"memory_bytes": size}}, SOLD).relation == relation


def test_a_size_that_is_not_sold_is_one_more_in_the_corrected_body() -> None:
    related = named({"kind": "llvm", "hardware": {"memory_bytes": 400}}, SOLD)
    assert [(each.pointer, each.tag, each.text) for each in related.differences] == [
        ("/hardware/memory_bytes", [100, 200], 400)
    ]
    assert corrected({"tag": "a/b@1"}, related) == {
        "tag": "a/b@1",
        "hardware": {"memory_options_bytes": [100, 200, 400]},
    }


def test_what_machines_share_does_not_have_their_model() -> None:
    body = {"kind": "cuda", "hardware": {"model": "RTX 9999"}}
    related = relate(reading(body, "/hardware/model"), {"kind": "cuda"}, is_named=False)
    assert related is not None
    assert related.relation == "near"


def test_another_kind_is_no_relation_without_a_name() -> None:
    assert relate(reading({"kind": "vulkan"}), CARD, is_named=False) is None


def test_another_processor_contradicts() -> None:
    assert contradicts(named({"kind": "cuda", "arch": "sm_89"}, CARD))
    assert not contradicts(named({"kind": "cuda", "arch": "sm_86"}, CARD))


def test_differences_correct_the_body_of_a_tag() -> None:
    source = {"tag": "a/b@1", "hardware": {"model": "X"}}
    body = {"kind": "cuda", "arch": "sm_86", "hardware": {"memory_bytes": 50}}
    assert corrected(source, named(body, CARD)) == {
        "tag": "a/b@1",
        "hardware": {"model": "X", "memory_bytes": 50},
    }
    assert source == {"tag": "a/b@1", "hardware": {"model": "X"}}


@pytest.mark.parametrize(
    ("year", "is_another"), [(2011, True), (2020, True), (2021, False), (2024, False), (0, False)]
)
def test_no_machine_is_older_than_its_launch(year: int, is_another: bool) -> None:
    target = {"kind": "llvm", "hardware": {"model": "X", "launched": "2021-10"}}
    related = relate(Reading({}, year=year), target, is_named=True)
    assert related is not None
    assert contradicts(related) is is_another


def test_a_machine_whose_launch_is_unknown_may_be_of_any_year() -> None:
    related = relate(Reading({}, year=1999), CARD, is_named=True)
    assert related is not None
    assert not contradicts(related)
