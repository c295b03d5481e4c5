"""PlatformIO's manifests give the clocks of boards."""

import json
from pathlib import Path

import pytest

from catalogue_tools.facts import read_table
from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.platformio import TABLE
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read

REPO = "platformio/platform-teensy"
SHIPPED = read_table(TABLE)
SOURCE = [origin["repo"] for origin in SHIPPED.header["sources"]].index(REPO)
CLOCKS = {row["id"]: row.get("hz", 1) for row in SHIPPED.rows if row["source"] == SOURCE}


def reading(folder: Path, clocks: dict[str, int]) -> Reading:
    """Return what is read from the manifests of Teensy boards, by their clocks."""
    files = {
        f"boards/{board}.json": json.dumps({"build": {"f_cpu": f"{clock}L"}})
        for board, clock in clocks.items()
    }
    return read(TABLE, clone_of(folder, files), REPO)


def test_manifests_of_one_platform_give_the_table(tmp_path: Path) -> None:
    assert reading(tmp_path, CLOCKS) == Reading(SHIPPED.rows)


def test_changed_clock_and_missing_board_concern_that_platform_only(tmp_path: Path) -> None:
    rows = reading(tmp_path, {"teensy41": 800_000_000}).rows
    assert {row["id"]: row["hz"] for row in rows if row["source"] == SOURCE} == {
        "teensy41": 800_000_000
    }
    others = [row for row in SHIPPED.rows if row["source"] != SOURCE]
    assert [row for row in rows if row["source"] != SOURCE] == others


def test_board_without_a_clock_keeps_none(tmp_path: Path) -> None:
    manifest = json.dumps({"build": {"f_cpu": "480000000L"}})
    clone = clone_of(tmp_path, {"boards/nucleo_h743zi.json": manifest})
    rows = read(TABLE, clone, "platformio/platform-ststm32").rows
    (row,) = [row for row in rows if row["id"] == "nucleo_h743zi"]
    assert "hz" not in row


def test_new_board_is_not_taken(tmp_path: Path) -> None:
    result = reading(tmp_path, {**CLOCKS, "teensy50": 1})
    assert result.not_taken == ("teensy50: not among the chosen boards",)


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        ("{}", r"teensy41\.json states no build\.f_cpu"),
        ('{"build": {"f_cpu": "fast"}}', "states 'fast' as build"),
    ],
)
def test_manifest_of_another_form_is_refused(tmp_path: Path, manifest: str, expected: str) -> None:
    clone = clone_of(tmp_path, {"boards/teensy41.json": manifest})
    with pytest.raises(SourceError, match=expected):
        read(TABLE, clone, REPO)
