"""Multiprocessors, bandwidth and peak throughput by product."""

import pytest

from catalogue_tools.facts import read_table
from catalogue_tools.gpus import amd, nvidia
from catalogue_tools.gpus.peaks import TABLE, peak_statements
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import MAX_INTEGER, Json


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        (
            "Instinct MI300X",
            {
                "memory_bandwidth_bytes_per_s": 5_300_000_000_000,
                "peak_ops_per_s": {
                    "fp32": 163_400_000_000_000,
                    "fp16": 1_307_400_000_000_000,
                    "int8": 2_614_900_000_000_000,
                    "fp8": 2_614_900_000_000_000,
                },
            },
        ),
        ("GeForce RTX 4090", {"compute_units": 128}),
    ],
)
def test_facts_are_those_of_the_source(name: str, facts: dict[str, Json]) -> None:
    (statement,) = peak_statements(name)
    assert statement.facts == facts
    assert [url.rpartition("/")[2] for url in statement.urls] == ["KnownTargets.cpp"]


def test_other_products_have_none() -> None:
    assert not list(peak_statements("GeForce RTX 4090 Laptop GPU"))


def test_every_row_is_about_a_product_that_has_a_tag() -> None:
    tags = [item for generator in (amd, nvidia) for item in generator.tags()]
    models = {
        item.body["hardware"]["model"]  # type: ignore[index,call-overload]
        for item in tags
        if isinstance(item, GeneratedTag) and not item.is_family
    }
    assert {row["name"] for row in read_table(TABLE).rows} <= models


def test_peaks_are_exact_integers() -> None:
    for row in read_table(TABLE).rows:
        for statement in peak_statements(row["name"]):
            peaks = statement.facts.get("peak_ops_per_s", {})
            assert isinstance(peaks, dict)
            assert all(isinstance(peak, int) and peak <= MAX_INTEGER for peak in peaks.values())
