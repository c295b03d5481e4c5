"""Microcontrollers other than STM32, each with its source."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table, rows_by
from catalogue_tools.hardware import MHZ, Statement, measured
from catalogue_tools.microcontrollers.chips import Chip, chip_tags
from catalogue_tools.microcontrollers.memory import CHIPS, urls
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

CORES = "zephyr/microcontrollers"


def tags() -> Iterator[GeneratedTag]:
    """Yield the tags of each microcontroller, and of its further cores."""
    table = read_table(CORES)
    for row in table.rows:
        if "chip" not in row:
            yield from chip_tags(_chip(row, table))


def highest_clock(tag: str) -> Statement:
    """Return the highest clock of a chip or a core, if a page states it."""
    row = rows_by(CHIPS, "tag").get(tag, {})
    if "hz" in row:
        return Statement(measured(row, "hz"), urls(CHIPS, row, "clock"))
    row = rows_by(CORES, "tag").get(tag, {})
    if "mhz" in row:
        return Statement({"boost_clock_hz": row["mhz"] * MHZ}, urls(CORES, row, "sources"))
    return Statement({}, ())


def _chip(row: Row, table: Table) -> Chip:
    options: dict[str, Json] = {}
    if "mabi" in row:
        options = {**measured(row, "mattr", "mabi"), "num-cores": row["cores"]}
    namespace = row["tag"].partition("/")[0]
    sources = tuple(table.url(source) for source in row["sources"])
    facts = {"vendor": row["vendor"], **measured(row, "ram_kib", "cores")}
    return Chip(
        tag=row["tag"],
        file=f"{namespace}/microcontrollers",
        model=row["model"],
        mcpu=row.get("mcpu", ""),
        message=f"{row['model']}: {row['core']}",
        sources=sources,
        facts=Statement(facts, sources),
        clock=highest_clock(row["tag"]),
        options=options,
        correction=row.get("correction", ""),
    )
