"""Apple's chips state the cores and caches that dumps of real machines show, and no others."""

from typing import Any

import pytest

from catalogue_tools.cpus import apple_chips

TAGS = {tag.name: tag for tag in apple_chips.tags()}


def facts_of(tag: str) -> dict[str, Any]:
    body: Any = TAGS[tag].body
    facts: dict[str, Any] = body["hardware"]
    return facts


@pytest.mark.parametrize(
    ("tag", "performance", "efficiency"),
    [("apple/m1", 4, 4), ("apple/m1-max", 8, 2), ("apple/m2", 4, 4), ("apple/m2-max", 8, 4)],
)
def test_kinds_of_cores_are_those_of_the_dump(tag: str, performance: int, efficiency: int) -> None:
    facts = facts_of(tag)
    assert (facts["performance_cores"], facts["efficiency_cores"]) == (performance, efficiency)
    assert performance + efficiency == facts["cores"] == TAGS[tag].body["num-cores"]


def test_caches_are_those_of_chips_with_one_number_of_clusters() -> None:
    with_caches = {tag for tag in TAGS if "l2_cache_bytes" in facts_of(tag)}
    assert with_caches == {"apple/m2"}
    assert facts_of("apple/m2")["l2_cache_bytes"] == 20 << 20  # 16 MiB and 4 MiB


@pytest.mark.parametrize("tag", ["apple/m1-pro", "apple/m3", "apple/m4-max", "apple/a18-pro"])
def test_chips_that_only_press_reports_describe_state_no_cores(tag: str) -> None:
    assert not {"cores", "performance_cores", "memory_bandwidth_bytes_per_s"} & facts_of(tag).keys()
    assert "num-cores" not in TAGS[tag].body
