"""Microcontrollers other than STM32, each with its source."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.microcontrollers.chips import Chip, chip_tags
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

KIB, MHZ = 1 << 10, 1_000_000
RISCV_OPTIONS = ("mattr", "mabi")


def tags() -> Iterator[GeneratedTag]:
    """Yield the tags of each microcontroller, and of its further cores."""
    table = read_table("zephyr/microcontrollers")
    for row in table.rows:
        if "chip" not in row:
            yield from chip_tags(_chip(row, table))


def facts_of(row: Row) -> dict[str, Json]:
    """Return the facts for people of a row: maker, clock, memory."""
    facts: dict[str, Json] = {"vendor": row["vendor"]}
    if "mhz" in row:
        facts["boost_clock_hz"] = row["mhz"] * MHZ
    if "ram_kib" in row:
        facts["memory_bytes"] = row["ram_kib"] * KIB
    return facts


def _chip(row: Row, table: Table) -> Chip:
    facts, options = facts_of(row), dict[str, Json]()
    if "cores" in row:
        facts["cores"] = row["cores"]
    if "mabi" in row:
        options = {name: row[name] for name in RISCV_OPTIONS if name in row}
        options["num-cores"] = row["cores"]
    namespace = row["tag"].partition("/")[0]
    sources = tuple(table.url(source) for source in row["sources"])
    return Chip(
        tag=row["tag"],
        file=f"{namespace}/microcontrollers",
        model=row["model"],
        mcpu=row.get("mcpu", ""),
        message=f"{row['model']}: {row['core']}",
        facts=facts,
        sources=sources,
        fact_sources=sources,
        options=options,
    )
