"""Processors of desktops and laptops have the facts of their tables, each of which lists some."""

import pytest

from catalogue_tools.cpus import desktops
from catalogue_tools.tags import GeneratedTag, Missing

ITEMS = tuple(desktops.tags())
TAGS = {item.name: item for item in ITEMS if isinstance(item, GeneratedTag)}


@pytest.mark.parametrize(
    ("tag", "family", "cores", "facts"),
    [
        (
            "amd/ryzen-9-5950x",
            "amd/zen3@1",
            16,
            {"threads": 32, "boost_clock_hz": 4_900_000_000, "l3_cache_bytes": 64 << 20},
        ),
        ("amd/ryzen-9-9950x", "amd/zen5@1", 16, {"l2_cache_bytes": 16 << 20, "power_watts": 170}),
        ("amd/ryzen-5-8500g", "amd/zen4@1", 6, {"threads": 12}),
        ("intel/core-i9-14900k", "intel/raptor-lake@1", 24, {"threads": 32}),
        ("intel/core-i9-10980xe", "intel/cascade-lake@1", 18, {"threads": 36}),
        ("intel/core-i7-7800x", "intel/skylake-avx512@1", 6, {"threads": 12}),
        ("intel/core-ultra-9-285k", "intel/arrow-lake-s@1", 24, {"threads": 24}),
        ("intel/core-ultra-7-255h", "intel/arrow-lake@1", 16, {"launched": "2025"}),
        ("intel/core-ultra-9-285k", "intel/arrow-lake-s@1", 24, {"launched": "2024"}),
        ("intel/core-ultra-7-155h", "intel/meteor-lake@1", 16, {"threads": 22}),
        ("intel/n100", "intel/alder-lake-n@1", 4, {"boost_clock_hz": 3_400_000_000}),
    ],
)
def test_products_have_the_facts_of_their_source(
    tag: str, family: str, cores: int, facts: dict[str, object]
) -> None:
    body = TAGS[tag].body
    assert (body["tag"], body["num-cores"]) == (family, cores)
    hardware = body["hardware"]
    assert isinstance(hardware, dict)
    assert {name: hardware[name] for name in facts} == facts


@pytest.mark.parametrize(
    ("tag", "category"),
    [
        ("intel/core-ultra-7-155h", "laptop-cpu"),
        ("intel/core-ultra-7-258v", "laptop-cpu"),
        ("intel/n100", "laptop-cpu"),
        ("intel/core-ultra-9-285k", "desktop-cpu"),
        ("amd/ryzen-5-8500g", "desktop-cpu"),
        ("amd/ryzen-threadripper-7980x", "desktop-cpu"),
    ],
)
def test_category_is_the_market_of_the_product(tag: str, category: str) -> None:
    hardware = TAGS[tag].body["hardware"]
    assert isinstance(hardware, dict)
    assert hardware["category"] == category


def test_threadrippers_are_found_without_ryzen() -> None:
    assert TAGS["amd/ryzen-threadripper-7980x"].aliases == ("amd/threadripper-7980x",)


def test_message_counts_cores_of_both_sizes() -> None:
    assert TAGS["intel/core-i9-14900k"].message == (
        "Intel Core i9-14900K: 8 performance and 16 efficient cores, Raptor Lake"
    )


def test_a_product_whose_family_llvm_does_not_name_is_missing() -> None:
    assert [item.product for item in ITEMS if isinstance(item, Missing)] == ["Intel N150"]
    assert "intel/n150" not in TAGS
