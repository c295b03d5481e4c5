"""Listings of BuildCores OpenDB give desktop processors."""

import json
from pathlib import Path
from typing import Any

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "opendb/desktop_cpus"


def listing(name: str, uarch: str = "Zen", family: str = "", **facts: Any) -> dict[str, Any]:
    """Return a listing in OpenDB's form."""
    cores = {"total": facts.get("cores"), "threads": facts.get("threads")}
    cores |= {"performance": facts.get("p"), "efficiency": facts.get("e")}
    return {
        "metadata": {"name": name},
        "microarchitecture": uarch,
        "coreFamily": family,
        "cores": cores,
        "clocks": {"performance": {"base": facts.get("base"), "boost": facts.get("boost")}},
        "cache": {"l2": facts.get("l2"), "l3": facts.get("l3")},
        "specifications": {"tdp": facts.get("tdp")},
    }


def reading(folder: Path, *listings: dict[str, Any]) -> Reading:
    """Return what is read from listings."""
    files = {f"open-db/CPU/{i}.json": json.dumps(item) for i, item in enumerate(listings)}
    return read(TABLE, clone_of(folder, files))


RYZEN: dict[str, Any] = {
    "cores": 4,
    "threads": 4,
    "base": 3.1,
    "boost": 3.4,
    "l2": 2,
    "l3": 8,
    "tdp": 65,
}
CORE: dict[str, Any] = {
    "cores": 18,
    "threads": 36,
    "base": 3,
    "boost": 4.4,
    "l2": 18,
    "l3": 24.75,
    "tdp": 165,
}


def test_listings_give_their_rows(tmp_path: Path) -> None:
    result = reading(
        tmp_path,
        listing("Intel Core i9-9980XE 3 GHz 18-Core", "Skylake", "Skylake-X", **CORE),
        listing("AMD Ryzen 3 1200", **RYZEN),
    )
    assert list(result.rows) == shipped_rows(TABLE, "AMD Ryzen 3 1200", "Intel Core i9-9980XE")


def test_listings_of_one_product_are_folded_and_differences_left_out(tmp_path: Path) -> None:
    result = reading(
        tmp_path,
        listing("AMD Ryzen 3 1200", **RYZEN),
        listing("AMD Ryzen 3 1200 OEM/Tray", **RYZEN | {"boost": 9, "tdp": 60}),
    )
    (row,) = result.rows
    assert row["boost_ghz"] == 3.4
    assert "tdp_w" not in row


def test_hybrid_processors_state_both_kinds_of_cores(tmp_path: Path) -> None:
    facts: dict[str, Any] = {"cores": 10, "threads": 16, "p": 6, "e": 4}
    (row,) = reading(tmp_path, listing("Intel Core i5 12600K", "Alder Lake", **facts)).rows
    assert (row["name"], row["p"], row["e"]) == ("Intel Core i5-12600K", 6, 4)


@pytest.mark.parametrize(
    ("name", "uarch"),
    [
        ("AMD FX-8350", "Piledriver"),
        ("Intel Core i7-3770K", "Ivy Bridge"),
        ("Intel Core i7-2600K", "Sandy Bridge"),
        ("AMD Ryzen 5 1600", "Zen"),
        ("Intel Pentium Gold G5400", "Coffee Lake"),
    ],
)
def test_other_products_are_left_out(tmp_path: Path, name: str, uarch: str) -> None:
    result = reading(tmp_path, listing(name, uarch), listing("AMD Ryzen 3 1200", **RYZEN))
    assert [row["name"] for row in result.rows] == ["AMD Ryzen 3 1200"]


@pytest.mark.parametrize("text", ["{}", "[]", "{"])
def test_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"0\.json is no listing of a processor"):
        read(TABLE, clone_of(tmp_path, {"open-db/CPU/0.json": text}))


def test_listings_without_wanted_processors_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no Ryzen or Core processors"):
        reading(tmp_path, listing("AMD FX-8350", "Piledriver"))
