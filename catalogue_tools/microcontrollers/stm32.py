"""Lines of STM32: chips whose names begin alike, and which have the same cores."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.microcontrollers.chips import Chip, chip_tags, option_mcpu
from catalogue_tools.microcontrollers.memory import LINES
from catalogue_tools.tags import GeneratedTag

UNITS = "zephyr/floating_point"
GROUP = 6  # letters of a series that share a file: STM32F, STM32L
NAMES = {"cortex-m0plus": "Cortex-M0+"}
PRECISIONS = {
    "none": " without floating point",
    "single": " with single precision",
    "double": " with double precision",
}


def tags() -> Iterator[GeneratedTag]:
    """Yield the tags of each line; a line with two cores has a variant for the second."""
    for row in read_table(LINES).rows:
        for core in row["cores"]:
            yield from chip_tags(_chip(row, core))


def _chip(row: Row, core: str) -> Chip:
    variant = "" if core == row["cores"][0] else f":{core.removeprefix('cortex-')}"
    model, unit = row["line"].upper(), floating_point(row["line"], core) or {}
    precision = PRECISIONS.get(unit.get("fpu", ""), "")
    line_url = url_of(LINES, path=f"data/chips/{row['chip']}.json")
    return Chip(
        tag=f"st/{row['line']}{variant}",
        file=f"st/{row['series'][:GROUP].lower()}",
        model=model,
        mcpu=option_mcpu(core, unit.get("fpu", "")),
        message=f"{model}: {NAMES.get(core, core.title())}{precision}",
        sources=(line_url, *([url_of(UNITS, unit["source"])] if unit else [])),
        facts=Statement({"vendor": "ST", "family": row["series"]}, [line_url]),
    )


def floating_point(line: str, core: str) -> Row | None:
    """Return the row of the floating-point unit of a line's core; None if the core has none."""
    rows = read_table(UNITS).rows
    fitting = [row for row in rows if row["core"] == core and line.startswith(row["prefix"])]
    return max(fitting, key=lambda row: len(row["prefix"]), default=None)
