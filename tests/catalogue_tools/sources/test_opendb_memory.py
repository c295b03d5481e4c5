"""Listings of BuildCores OpenDB give the memory of graphics cards."""

import json
from pathlib import Path

import pytest

from catalogue_tools.sources.clone import Clone, SourceError
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

AMD, NVIDIA = "opendb/amd_memory", "opendb/nvidia_memory"


def cards(folder: Path, maker: str, *listings: tuple[str, int]) -> Clone:
    """Return a clone with cards: GPU and GiB of memory."""
    files = {
        f"open-db/GPU/{number}.json": json.dumps(
            {"chipset_manufacturer": maker, "chipset": chipset, "memory": memory}
        )
        for number, (chipset, memory) in enumerate(listings)
    }
    return clone_of(folder, files)


def test_size_that_all_cards_have_counts(tmp_path: Path) -> None:
    clone = cards(tmp_path, "NVIDIA", ("GeForce GTX 1050 Ti", 4), ("GeForce GTX 1050 Ti", 4))
    assert list(read(NVIDIA, clone).rows) == shipped_rows(NVIDIA, "GeForce GTX 1050 Ti")


def test_product_of_several_sizes_has_all_of_them(tmp_path: Path) -> None:
    clone = cards(tmp_path, "NVIDIA", ("GeForce GTX 960", 4), ("GeForce GTX 960", 2))
    (row,) = read(NVIDIA, clone).rows
    assert row == {"name": "GeForce GTX 960", "options_gib": [2, 4]}
    assert shipped_rows(NVIDIA, "GeForce GTX 960") == [row]


def test_older_products_are_left_out(tmp_path: Path) -> None:
    clone = cards(tmp_path, "NVIDIA", ("GeForce GTX 480", 1), ("GeForce GTX 680", 4))
    assert read(NVIDIA, clone).rows == ()


def test_size_in_a_name_belongs_to_that_product(tmp_path: Path) -> None:
    clone = cards(tmp_path, "NVIDIA", ("GeForce GTX 1050", 2), ("GeForce GTX 1050 3 GB", 3))
    names = ("GeForce GTX 1050", "GeForce GTX 1050 3GB")
    assert list(read(NVIDIA, clone).rows) == shipped_rows(NVIDIA, *names)


def test_cards_of_two_gpus_and_mobile_ones_are_left_out(tmp_path: Path) -> None:
    clone = cards(tmp_path, "NVIDIA", ("GeForce GTX Titan Z", 12), ("GeForce GTX 860M", 2))
    assert read(NVIDIA, clone).rows == ()


def test_amd_cards_are_found_whatever_the_spelling(tmp_path: Path) -> None:
    (row, *_) = shipped_rows(AMD, "Radeon RX 5600 XT", "Radeon RX 5700")
    card = (row["name"].upper() + " 6 GB", row["memory_gib"])
    assert list(read(AMD, cards(tmp_path, "AMD", card)).rows) == [row]


def test_product_that_rocm_states_the_memory_of_is_left_out(tmp_path: Path) -> None:
    assert read(AMD, cards(tmp_path, "AMD", ("Radeon RX 7900 XTX", 24))).rows == ()


def test_listings_without_cards_of_the_maker_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no cards of AMD"):
        read(AMD, cards(tmp_path, "NVIDIA", ("GeForce GTX 1050", 2)))
    with pytest.raises(SourceError, match=r"0\.json is no listing of a card"):
        read(AMD, clone_of(tmp_path, {"open-db/GPU/0.json": "[]"}))
