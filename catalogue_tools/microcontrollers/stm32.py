"""Lines of STM32: chips whose names begin alike, and which have the same cores."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.microcontrollers.chips import Chip, chip_tags, option_mcpu
from catalogue_tools.tags import GeneratedTag

GROUP = 6  # letters of a series that share a file: STM32F, STM32L
NAMES = {"cortex-m0plus": "Cortex-M0+"}
PRECISIONS = {
    "none": " without floating point",
    "single": " with single precision",
    "double": " with double precision",
}


def tags() -> Iterator[GeneratedTag]:
    """Yield the tags of each line; a line with two cores has a variant for the second."""
    lines = read_table("stm32-data/lines")
    for row in lines.rows:
        for core in row["cores"]:
            yield from chip_tags(_chip(row, core, lines))


def _chip(row: Row, core: str, lines: Table) -> Chip:
    is_first = core == row["cores"][0]
    variant = "" if is_first else f":{core.removeprefix('cortex-')}"
    model = row["line"].upper()
    units = read_table("zephyr/floating_point")
    unit = floating_point(row["line"], core)
    line_url = lines.url(path=f"data/chips/{row['chip']}.json")
    return Chip(
        tag=f"st/{row['line']}{variant}",
        file=f"st/{row['series'][:GROUP].lower()}",
        model=model,
        mcpu=option_mcpu(core, unit["fpu"] if unit else ""),
        message=f"{model}: {NAMES.get(core, core.title())}{_precision(unit)}",
        facts={"vendor": "ST", "family": row["series"]},
        sources=(line_url, *([units.url(unit["source"])] if unit else [])),
        fact_sources=(line_url,),
    )


def floating_point(line: str, core: str) -> Row | None:
    """Return the row of the floating-point unit of a line's core; None if the core has none."""
    rows = read_table("zephyr/floating_point").rows
    fitting = [row for row in rows if row["core"] == core and line.startswith(row["prefix"])]
    return max(fitting, key=lambda row: len(row["prefix"]), default=None)


def _precision(unit: Row | None) -> str:
    return PRECISIONS.get(unit["fpu"], "") if unit else ""
