"""Lines of STM32 microcontrollers, from the files that embassy generates from ST's databases.

Taken are all lines of some series, and of the others those that boards of the catalogue carry.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import form_of, table_reader

CHIPS = "data/chips/*.json"
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


@table_reader("stm32-data/lines", "embassy-rs/stm32-data-generated", "data/chips", key="line")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield a row for each line; its cores are those of all its chips."""
    present = table.by("line")
    lines: dict[str, Row] = {}
    for path in sorted(clone.files(CHIPS), key=lambda path: PurePosixPath(path).stem):
        row = _row(path, clone.text(path))
        first = lines.setdefault(row["line"], row)
        if first["cores"] != row["cores"]:
            raise SourceError(f"{row['chip']} has other cores than {first['chip']}: one line?")
    for line, row in sorted(lines.items()):
        if line in present or row["series"] in WHOLE_SERIES:
            yield row
        elif row["series"] not in WRONG_SERIES:
            yield f"{line}: no board of the catalogue has it"


def _row(path: str, text: str) -> Row:
    with form_of(path, f"does not have name, family and cores out of {', '.join(CORES)}"):
        chip: dict[str, Any] = json.loads(text)
        name, series = chip["name"], chip["family"]
        cores = [CORES[core["name"]] for core in chip["cores"]]
    return {"line": name[:LINE].lower(), "series": series, "cores": cores, "chip": name}
