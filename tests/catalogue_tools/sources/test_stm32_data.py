"""Files of chips give the lines of STM32 microcontrollers, and the parts that boards carry."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from catalogue_tools.facts import Row, read_table, replaced_tables
from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE, PARTS = "stm32-data/lines", "stm32-data/parts"
KIB = 1 << 10
Region = tuple[str, str, int]  # kind, name and KiB
SMALL: Sequence[Region] = (("ram", "SRAM", 8), ("flash", "BANK_1", 64))
F446: Sequence[Region] = (("ram", "SRAM", 112), ("ram", "SRAM2", 16))
CHIPS: Mapping[str, tuple[str, Sequence[str], Sequence[Region]]] = {  # series, cores, memory
    "STM32H745BG": ("STM32H7", ["cm7", "cm4"], SMALL),
    "STM32F446MC": ("STM32F4", ["cm4"], [*F446, ("flash", "BANK_1_REGION_1", 256)]),
    "STM32F446ME": ("STM32F4", ["cm4"], [*F446, ("flash", "BANK_1_REGION_1", 512)]),
    "STM32L151C6-A": ("STM32L1", ["cm3"], SMALL),
    "STM32L151C6": ("STM32L1", ["cm3"], SMALL),
    "STM32MP151AA": ("STM32MP1", ["cm7", "cm4"], SMALL),
}


def chip(name: str, series: str, cores: Sequence[str], *layouts: Sequence[Region]) -> Row:
    """Return the file of a chip, as the source has it."""
    memory = [
        [{"kind": kind, "name": region, "size": size * KIB} for kind, region, size in layout]
        for layout in layouts
    ]
    return {
        "name": name,
        "family": series,
        "cores": [{"name": core} for core in cores],
        "memory": memory,
    }


def reading(folder: Path, *chips: Row, table: str = TABLE) -> Reading:
    """Return what is read from files of chips."""
    files = {f"data/chips/{row['name']}.json": json.dumps(row) for row in chips}
    return read(table, clone_of(folder, files))


def without_sizes(rows: Sequence[Row]) -> list[Row]:
    return [{name: row[name] for name in row if name not in {"ram", "flash"}} for row in rows]


def test_chips_give_their_lines_without_the_wrong_series(tmp_path: Path) -> None:
    result = reading(tmp_path, *(chip(name, *rest) for name, rest in CHIPS.items()))
    shipped = shipped_rows(TABLE, "stm32f446", "stm32h745", "stm32l151")
    assert without_sizes(result.rows) == without_sizes(shipped)
    assert result.rows[0] == shipped[0]  # F446: sizes too
    assert result.not_taken == ()


def test_new_line_is_taken_of_whole_series_only(tmp_path: Path) -> None:
    result = reading(
        tmp_path,
        chip("STM32H799ZI", "STM32H7", ["cm7"], SMALL),
        chip("STM32F499ZI", "STM32F4", ["cm4"], SMALL),
    )
    assert [row["line"] for row in result.rows] == ["stm32h799"]
    assert result.not_taken == ("stm32f499: no board of the catalogue has it",)


@pytest.mark.parametrize(
    ("layouts", "ram", "flash"),
    [
        ([SMALL], 8, 64),
        ([[*SMALL, ("flash", "OTP", 1), ("eeprom", "EEPROM", 4)]], 8, 64),
        ([[*SMALL, ("ram", "BKPSRAM", 4), ("ram", "SDRAM_BANK_1", 65536)]], 8, 64),
        ([[*SMALL, ("ram", "FMC_BANK_1", 65536), ("ram", "OCTOSPI_BANK_1", 65536)]], 8, 64),
        ([[*SMALL, ("ram", "CCMRAM_ICODE", 32), ("ram", "CCMRAM_DCODE", 32)]], 40, 64),
        ([[*SMALL, ("ram", "SRAM2A", 32), ("ram", "SRAM2A_ICODE", 32)]], 40, 64),
        ([[*SMALL, ("ram", "DTCM", 128), ("ram", "ITCM", 64)]], 200, 64),
        ([[*SMALL, ("flash", "BANK_2", 64)]], 8, 128),
        ([[("ram", "AXISRAM1", 624)]], 624, 0),
        ([SMALL, [("ram", "SRAM", 6), ("flash", "BANK_1", 64)]], 8, 64),
    ],
)
def test_memory_on_the_chip_is_counted_once(
    tmp_path: Path, layouts: Sequence[Sequence[Region]], ram: int, flash: int
) -> None:
    (row,) = reading(tmp_path, chip("STM32H799ZI", "STM32H7", ["cm7"], *layouts)).rows
    assert (row["ram"], row["flash"]) == ([ram * KIB], [flash * KIB])


def test_a_line_lists_the_sizes_of_all_its_chips(tmp_path: Path) -> None:
    large = [("ram", "SRAM", 32), ("flash", "BANK_1", 64)]
    (row,) = reading(
        tmp_path,
        chip("STM32H799ZI", "STM32H7", ["cm7"], large),
        chip("STM32H799ZG", "STM32H7", ["cm7"], SMALL),
    ).rows
    assert (row["ram"], row["flash"]) == ([8 * KIB, 32 * KIB], [64 * KIB])


def test_parts_that_boards_carry_have_their_sizes(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"part": "STM32F446RE"}, {"part": "STM32F446XX"}]
    chosen = replace(read_table(PARTS), rows=tuple(rows))
    with replaced_tables({PARTS: chosen}):
        result = reading(
            tmp_path,
            chip("STM32F446RE", "STM32F4", ["cm4"], SMALL),
            chip("STM32F446MC", "STM32F4", ["cm4"], SMALL),
            table=PARTS,
        )
    assert result.rows == ({"part": "STM32F446RE", "ram": 8 * KIB, "flash": 64 * KIB},)
    assert result.not_taken == ()


def test_chips_of_one_line_with_other_cores_are_refused(tmp_path: Path) -> None:
    chips = [
        chip(f"STM32F446M{size}", "STM32F4", cores, SMALL)
        for size, cores in (("C", ["cm4"]), ("E", ["cm7"]))
    ]
    with pytest.raises(SourceError, match="STM32F446ME has other cores than STM32F446MC"):
        reading(tmp_path, *chips)


@pytest.mark.parametrize(
    "text",
    [
        *("{}", "[]", "{", '{"name": "X", "family": "Y", "cores": [1]}'),
        '{"name": "X", "family": "Y", "cores": [], "memory": []}',
    ],
)
def test_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"X\.json does not have name, family, memory and cores"):
        read(TABLE, clone_of(tmp_path, {"data/chips/X.json": text}))


def test_unknown_core_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cores out of cm0, .*'cm85'"):
        reading(tmp_path, chip("STM32V8A", "STM32V8", ["cm85"], SMALL))
