"""Microcontrollers other than STM32, each with its source."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import MHZ, measured
from catalogue_tools.microcontrollers.chips import Chip, chip_tags
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json


def tags() -> Iterator[GeneratedTag]:
    """Yield the tags of each microcontroller, and of its further cores."""
    table = read_table("zephyr/microcontrollers")
    for row in table.rows:
        if "chip" not in row:
            yield from chip_tags(_chip(row, table))


def facts_of(row: Row) -> dict[str, Json]:
    """Return the facts for people of a row: maker, clock, memory."""
    clock = {"boost_clock_hz": row["mhz"] * MHZ} if "mhz" in row else {}
    return {"vendor": row["vendor"], **clock, **measured(row, "ram_kib")}


def _chip(row: Row, table: Table) -> Chip:
    options: dict[str, Json] = {}
    if "mabi" in row:
        options = {**measured(row, "mattr", "mabi"), "num-cores": row["cores"]}
    namespace = row["tag"].partition("/")[0]
    sources = tuple(table.url(source) for source in row["sources"])
    return Chip(
        tag=row["tag"],
        file=f"{namespace}/microcontrollers",
        model=row["model"],
        mcpu=row.get("mcpu", ""),
        message=f"{row['model']}: {row['core']}",
        facts=facts_of(row) | measured(row, "cores"),
        sources=sources,
        fact_sources=sources,
        options=options,
    )
