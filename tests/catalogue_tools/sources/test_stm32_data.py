"""Files of chips give the lines of STM32 microcontrollers."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "stm32-data/lines"
CHIPS = {  # series and cores
    "STM32H745BG": ("STM32H7", ["cm7", "cm4"]),
    "STM32F446MC": ("STM32F4", ["cm4"]),
    "STM32F446ME": ("STM32F4", ["cm4"]),
    "STM32L151C6-A": ("STM32L1", ["cm3"]),
    "STM32L151C6": ("STM32L1", ["cm3"]),
    "STM32MP151AA": ("STM32MP1", ["cm7", "cm4"]),
}


def reading(folder: Path, chips: Mapping[str, tuple[str, Sequence[str]]]) -> Reading:
    """Return what is read from files of chips."""
    files = {
        f"data/chips/{name}.json": json.dumps(
            {"name": name, "family": series, "cores": [{"name": core} for core in cores]}
        )
        for name, (series, cores) in chips.items()
    }
    return read(TABLE, clone_of(folder, files))


def test_chips_give_their_lines_without_the_wrong_series(tmp_path: Path) -> None:
    result = reading(tmp_path, CHIPS)
    assert list(result.rows) == shipped_rows(TABLE, "stm32f446", "stm32h745", "stm32l151")
    assert result.not_taken == ()


def test_new_line_is_taken_of_whole_series_only(tmp_path: Path) -> None:
    new = {"STM32H799ZI": ("STM32H7", ["cm7"]), "STM32F499ZI": ("STM32F4", ["cm4"])}
    result = reading(tmp_path, new)
    assert [row["line"] for row in result.rows] == ["stm32h799"]
    assert result.not_taken == ("stm32f499: no board of the catalogue has it",)


def test_chips_of_one_line_with_other_cores_are_refused(tmp_path: Path) -> None:
    chips = {"STM32F446MC": ("STM32F4", ["cm4"]), "STM32F446ME": ("STM32F4", ["cm7"])}
    with pytest.raises(SourceError, match="STM32F446ME has other cores than STM32F446MC"):
        reading(tmp_path, chips)


@pytest.mark.parametrize("text", ["{}", "[]", "{", '{"name": "X", "family": "Y", "cores": [1]}'])
def test_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"X\.json does not have name, family and cores"):
        read(TABLE, clone_of(tmp_path, {"data/chips/X.json": text}))


def test_unknown_core_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cores out of cm0, .*'cm85'"):
        reading(tmp_path, {"STM32V8A": ("STM32V8", ["cm85"])})
