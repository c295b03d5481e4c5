"""Tags of iPhones, iPads and Macs."""

from typing import Any

import pytest

from catalogue_tools import gaps
from catalogue_tools.cpus import apple_chips
from catalogue_tools.devices import apple_devices, macbooks
from catalogue_tools.devices.apple_devices import COUNTS, TABLES
from catalogue_tools.devices.machine_facts import OTHER_CORES
from catalogue_tools.facts import read_table

TAGS: dict[str, dict[str, Any]] = {tag.name: dict(tag.body) for tag in apple_devices.tags()}


@pytest.mark.parametrize(
    ("tag", "chip", "category"),
    [
        ("apple/iphone-15-pro", "apple/a17-pro@1", "phone"),
        ("apple/iphone-16", "apple/a18@1", "phone"),
        ("apple/iphone-17-pro", "apple/a19-pro@1", "phone"),
        ("apple/iphone-xr", "apple/a12@1", "phone"),
        ("apple/ipad-mini-a17-pro", "apple/a17-pro@1", "tablet"),
        ("apple/ipad-pro-11-inch", "apple/a12x@1", "tablet"),
        ("apple/mac-mini-m4-2024", "apple/m4@1", "desktop"),
        ("apple/mac-pro-2023", "apple/m2-ultra@1", "desktop"),
        ("apple/macbook-pro-14-inch-m3-max-nov-2023", "apple/m3-max@1", "laptop"),
    ],
)
def test_product_inherits_from_its_chip(tag: str, chip: str, category: str) -> None:
    assert (TAGS[tag]["tag"], TAGS[tag]["hardware"]["category"]) == (chip, category)


def test_product_names_the_gpu_of_its_chip() -> None:
    assert TAGS["apple/iphone-15-pro"]["hardware"]["gpu"] == "Apple A17 Pro GPU"
    books: dict[str, Any] = {tag.name: tag.body["hardware"] for tag in macbooks.tags()}
    assert books["apple/macbook-air-m1-2020"]["gpu"] == "Apple M1 GPU"


def test_ipad_with_the_chip_of_a_mac_runs_its_own_system() -> None:
    assert TAGS["apple/ipad-pro-11-inch-m4"]["mtriple"] == "arm64-apple-ios"
    assert "mtriple" not in TAGS["apple/ipad-mini-a17-pro"]
    assert "mtriple" not in TAGS["apple/mac-mini-m4-2024"]


def test_device_with_fewer_cores_does_not_take_its_chips_number() -> None:
    rows = [row for row in read_table(OTHER_CORES).rows if row["tag"] in TAGS]
    assert len(rows) > 5
    for row in rows:
        body = TAGS[row["tag"]]
        assert body["num-cores"] is None
        assert [body["hardware"][name] for name in COUNTS] == [None] * len(COUNTS)
    assert "num-cores" not in TAGS["apple/ipad-air-5th-generation"]


def test_product_was_not_launched_with_its_chip() -> None:
    assert TAGS["apple/ipad-air-5th-generation"]["hardware"]["launched"] is None
    assert TAGS["apple/mac-mini-m1-2020"]["hardware"]["launched"] == "2020"
    assert "launched" not in TAGS["apple/iphone-15"]["hardware"]  # no source dates the A16


def test_every_product_has_a_chip_and_one_tag() -> None:
    chips = {tag.name for tag in apple_chips.tags()}
    assert {body["tag"].removesuffix("@1") for body in TAGS.values()} <= chips
    assert not TAGS.keys() & {tag.name for tag in macbooks.tags()}
    models = [row["model"] for table in TABLES for row in read_table(table).rows]
    assert len(models) == len(set(models))


def test_identifiers_belong_to_one_product() -> None:
    rows = [row for table in TABLES for row in read_table(table).rows]
    identifiers = [identifier for row in rows for identifier in row["identifiers"]]
    assert len(identifiers) == len(set(identifiers))
    # The list gives Mac15,4 to an iMac and to the Mac Studio, which is Mac15,14.
    assert "Mac15,4" not in identifiers


@pytest.mark.parametrize("part", ["-m5-2025", "watch", "tv", "vision", "homepod", "iphone-8"])
def test_product_without_a_sound_source_or_a_tag_of_its_chip_is_left_out(part: str) -> None:
    assert not [tag for tag in TAGS if part in tag]


def test_products_left_out_are_missing_with_a_reason() -> None:
    listed = " ".join(item.product for item in gaps.missing())
    for product in ("Apple Watch", "Intel", "Steam Deck", "Meta Quest", "iPhones before", "Switch"):
        assert product in listed


def test_variants_are_those_of_the_chip() -> None:
    assert not [tag for tag in TAGS if ":" in tag]


def test_there_are_as_many_as_the_sources_allow() -> None:
    categories = [body["hardware"]["category"] for body in TAGS.values()]
    assert {name: categories.count(name) for name in set(categories)} == {
        "phone": 34,
        "tablet": 28,
        "laptop": 18,
        "desktop": 15,
    }
