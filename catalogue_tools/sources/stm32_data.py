"""Lines and parts of STM32 microcontrollers, which embassy generates from ST's databases.

Taken are all lines of some series, and of the others those that boards of the catalogue carry;
of the parts only those that boards carry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import form_of, table_reader

REPO, CHIPS = "embassy-rs/stm32-data-generated", "data/chips/*.json"
WHOLE_SERIES = {"STM32H7", "STM32N6", "STM32U5"}
# STM32MP1: the files call its Cortex-A7 a Cortex-M7.
WRONG_SERIES = {"STM32MP1"}
LINE = 9  # characters of a chip's name, as of stm32f446
CORES = {
    "cm0": "cortex-m0",
    "cm0p": "cortex-m0plus",
    "cm3": "cortex-m3",
    "cm33": "cortex-m33",
    "cm4": "cortex-m4",
    "cm55": "cortex-m55",
    "cm7": "cortex-m7",
}
NO_RAM = re.compile("BKP|FMC|OCTOSPI|SDRAM")  # kept by a battery, or outside the chip
OTHER_BUS = re.compile("_[DI]CODE$")  # the same memory at another address


@table_reader("stm32-data/lines", REPO, "data/chips", key="line")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield a row for each line; its cores are those of all its chips, its sizes each of theirs."""
    present = table.by("line")
    for line, chips in sorted(_lines(clone).items()):
        first = chips[0]
        for chip in chips:
            if first["cores"] != chip["cores"]:
                raise SourceError(f"{chip['part']} has other cores than {first['part']}: one line?")
        if line in present or first["series"] in WHOLE_SERIES:
            yield {
                "line": line,
                **{name: first[name] for name in ("series", "cores")},
                "chip": first["part"],
                **{name: sorted({chip[name] for chip in chips}) for name in ("ram", "flash")},
            }
        elif first["series"] not in WRONG_SERIES:
            yield f"{line}: no board of the catalogue has it"


@table_reader("stm32-data/parts", REPO, "data/chips", key="part")
def read_parts(clone: Clone, table: Table) -> Iterator[Row]:
    """Yield the memory of the parts that the table has, without those that the source lost."""
    chips = {chip["part"]: chip for chips in _lines(clone).values() for chip in chips}
    for row in table.rows:
        if chip := chips.get(row["part"]):
            yield {name: chip[name] for name in ("part", "ram", "flash")}


def _lines(clone: Clone) -> dict[str, list[Row]]:
    """Return the chips of each line, in the order of their names."""
    lines: dict[str, list[Row]] = {}
    for path in sorted(clone.files(CHIPS), key=lambda path: PurePosixPath(path).stem):
        chip = _chip(path, clone.text(path))
        lines.setdefault(chip["part"][:LINE].lower(), []).append(chip)
    return lines


def _chip(path: str, text: str) -> Row:
    expected = f"does not have name, family, memory and cores out of {', '.join(CORES)}"
    with form_of(path, expected):
        chip: dict[str, Any] = json.loads(text)
        return {
            "part": chip["name"],
            "series": chip["family"],
            "cores": [CORES[core["name"]] for core in chip["cores"]],
            # Some parts can be laid out in several ways: the largest counts.
            "ram": max(_bytes(regions, "ram") for regions in chip["memory"]),
            "flash": max(_bytes(regions, "flash") for regions in chip["memory"]),
        }


def _bytes(regions: list[Mapping[str, Any]], kind: str) -> int:
    """Return the size of all memory of a kind on the chip, each counted once."""
    sizes = {
        OTHER_BUS.sub("", region["name"]): region["size"]
        for region in regions
        if region["kind"] == kind and not NO_RAM.search(region["name"])
        if kind == "ram" or region["name"].startswith("BANK")
    }
    return int(sum(sizes.values()))
