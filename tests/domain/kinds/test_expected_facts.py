"""The facts by which people choose are facts of the kind hardware."""

from typing import Any

import pytest

from registry.domain.kinds.expected_facts import EXPECTED_FACTS, MEMORY, missing_facts, stated_fact
from registry.services.core import shipped_facts
from ttag_rules.pointer import split_pointer

HARDWARE = shipped_facts.kinds()["hardware"]["properties"]


@pytest.mark.parametrize("category", EXPECTED_FACTS)
def test_expected_facts_are_known(category: str) -> None:
    assert category in HARDWARE["category"]["enum"]
    for fact in EXPECTED_FACTS[category]:
        assert split_pointer(f"/{fact}")[0] in HARDWARE


def test_cores_of_no_product_are_expected_of_nothing() -> None:
    assert set(HARDWARE["category"]["enum"]) - EXPECTED_FACTS.keys() == {"cpu-core"}


def test_sizes_to_choose_from_are_memory() -> None:
    assert stated_fact("memory_options_bytes") == stated_fact("memory_bytes") == MEMORY
    assert stated_fact("flash_options_bytes") == stated_fact("flash_bytes") == "flash_bytes"
    assert stated_fact("gpu") == "gpu"


@pytest.mark.parametrize(
    ("facts", "missing"),
    [
        ({"category": "cloud-instance", "cores": 4}, [MEMORY]),
        ({"category": "cloud-instance", "cores": 4, MEMORY: 1}, []),
        ({"category": "laptop", "cores": 4, "gpu": "x", "memory_options_bytes": [1]}, ["launched"]),
        (
            {"category": "npu", "peak_ops_per_s": {"fp16": 1}, "launched": "2022"},
            ["peak_ops_per_s/int8", MEMORY, "power_watts"],
        ),
        (
            {"category": "npu", "peak_ops_per_s": {"int8": 1}, MEMORY: 1, "power_watts": 1},
            ["launched"],
        ),
        ({"category": "cpu-core"}, []),
        ({"category": ["gpu"]}, []),
        ({"cores": 4}, []),
        ({}, []),
    ],
)
def test_missing_facts_are_those_that_a_machine_does_not_state(
    facts: dict[str, Any], missing: list[str]
) -> None:
    assert [*missing_facts(facts)] == missing
