"""Ranges and orders of hardware facts, as lists take them."""

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.search.comparable_facts import (
    COMPARABLE_FACTS,
    FACT_ORDERS,
    RANGE_PARAMETERS,
    FactOrder,
    range_conditions,
)
from registry.services.core import shipped_facts

MEMORY = "/hardware/memory_bytes"
YEAR = "/hardware/launched/year"


def conditions(**texts: str) -> list[tuple[str, str, float | None]]:
    return [(found.pointer, found.operator, found.number) for found in range_conditions(texts)]


@pytest.mark.parametrize(
    ("parameter", "text", "expected"),
    [
        ("memory_min", "8 GiB", [(MEMORY, ">=", 8 * 2**30)]),
        ("memory_max", "8GB", [(MEMORY, "<=", 8e9)]),
        ("memory_min", "8589934592", [(MEMORY, ">=", 2**33)]),
        ("bandwidth_min", "1 TB/s", [("/hardware/memory_bandwidth_bytes_per_s", ">=", 1e12)]),
        ("cores_min", " 8 ", [("/hardware/cores", ">=", 8)]),
        ("compute_units_max", "128", [("/hardware/compute_units", "<=", 128)]),
        ("power_max", "7.5", [("/hardware/power_watts", "<=", 7.5)]),
        ("power_max", "75 W", [("/hardware/power_watts", "<=", 75)]),
        ("year_min", "2020", [(YEAR, ">=", 2020)]),
        ("year", "2022", [(YEAR, ">=", 2022), (YEAR, "<=", 2022)]),
    ],
)
def test_range_is_read_with_or_without_a_unit(
    parameter: str, text: str, expected: list[tuple[str, str, float]]
) -> None:
    assert conditions(**{parameter: text}) == expected


@pytest.mark.parametrize(
    "texts",
    [
        {"memory_min": "8 GiB", "memory_max": "8 GiB"},
        {"memory_min": "8 GB", "memory_max": "8 GiB"},
        {"year": "2022", "year_min": "2022", "year_max": "2022"},
        {"cores_min": "9", "threads_max": "8"},
    ],
)
def test_ends_of_a_range_may_meet(texts: dict[str, str]) -> None:
    assert conditions(**texts)


@pytest.mark.parametrize(
    ("texts", "detail"),
    [
        (
            {"memory_max": "8 GB", "memory_min": "64 GB"},
            "memory_min=64 GB is not valid beside memory_max=8 GB: expected at most 8 GB.",
        ),
        (
            {"memory_min": "8 GiB", "memory_max": "8 GB"},
            "memory_min=8 GiB is not valid beside memory_max=8 GB: expected at most 8 GB.",
        ),
        (
            {"year": "2020", "year_min": "2022"},
            "year_min=2022 is not valid beside year=2020: expected at most 2020.",
        ),
        (
            {"year": "2020", "year_max": "2019"},
            "year=2020 is not valid beside year_max=2019: expected at most 2019.",
        ),
    ],
)
def test_a_range_that_holds_no_number_is_refused(texts: dict[str, str], detail: str) -> None:
    with pytest.raises(Refused) as refused:
        conditions(**texts)
    assert refused.value.code is Code.FILTER_INVALID
    assert refused.value.detail == detail


@pytest.mark.parametrize(
    ("parameter", "text", "detail", "suggestions"),
    [
        ("memory_min", "lots", "expected a number, in bytes or with a unit, such as 4 GiB", ()),
        ("memory_min", "8g", "such as 4 GiB", ("8 GB", "8 GiB")),
        ("year", "2022-10", "year=2022-10 is not valid: expected a number, such as 2022", ()),
        ("cores_min", "1e999", "expected a number, such as 8", ()),
        ("power_max", "", "expected a number, in W or with a unit, such as 7.5 W", ()),
    ],
)
def test_invalid_range_says_what_is_expected(
    parameter: str, text: str, detail: str, suggestions: tuple[str, ...]
) -> None:
    with pytest.raises(Refused) as refused:
        conditions(**{parameter: text})
    assert refused.value.code is Code.FILTER_INVALID
    assert detail in refused.value.detail
    assert sorted(refused.value.suggestions) == sorted(suggestions)


def test_order_is_named_after_its_fact() -> None:
    assert [str(FactOrder.parse(text)) for text in FACT_ORDERS] == list(FACT_ORDERS)
    assert FactOrder.parse("-memory") == FactOrder(COMPARABLE_FACTS["memory"], is_reversed=True)
    assert [FactOrder.parse(text) for text in ("", "used", "--memory", "memory-")] == [None] * 4


def test_facts_have_the_units_of_the_schema() -> None:
    schema = shipped_facts.kinds()["hardware"]["properties"]
    for fact in COMPARABLE_FACTS.values():
        if fact.name != "year":
            assert schema[fact.option]["x-unit"] == fact.unit
    assert "launched" in schema


def test_parameters_do_not_collide() -> None:
    assert len(RANGE_PARAMETERS) == 2 * len(COMPARABLE_FACTS) + 1
