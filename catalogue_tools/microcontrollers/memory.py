"""RAM and flash of microcontrollers: of lines of chips, and of the parts that boards carry."""

from __future__ import annotations

from collections.abc import Sequence

from catalogue_tools.facts import Row, rows_by, url_of
from catalogue_tools.hardware import Statement
from registry.domain.document import Json

LINES, STM32_PARTS = "stm32-data/lines", "stm32-data/parts"
CHIPS, PARTS = "microcontrollers/chips", "microcontrollers/parts"
JUDGED = "corrections/microcontrollers"
RAM, RAM_OPTIONS = "memory_bytes", "memory_options_bytes"
FLASH, FLASH_OPTIONS = "flash_bytes", "flash_options_bytes"


def chip_memory(tag: str) -> Statement:
    """Return RAM and flash of a chip; a core has that of its chip, unless it has its own."""
    chip = tag.partition(":")[0]
    if line := rows_by(LINES, "line").get(chip.removeprefix("st/")):
        path = "" if len(line["ram"]) > 1 else f"data/chips/{line['chip']}.json"
        return _judged(chip, line["ram"], line["flash"], url_of(LINES, path=path))
    row = rows_by(CHIPS, "tag").get(tag) or rows_by(CHIPS, "tag").get(chip, {})
    return _statement(row.get("ram", ()), row.get("flash", ()), urls(CHIPS, row, "memory"))


def part_memory(part: str, chip: str) -> Statement:
    """Return RAM and flash of a part of a chip's line. Raises `KeyError` if no table has it."""
    if row := rows_by(STM32_PARTS, "part").get(part):
        url = url_of(STM32_PARTS, path=f"data/chips/{part}.json")
        return _judged(chip, [row["ram"]], [row["flash"]], url)
    row = rows_by(PARTS, "part")[part]
    return _statement([row["ram"]], [row["flash"]], urls(PARTS, row, "sources"))


def judgement(chip: str) -> Row:
    """Return what this project judged of a chip's RAM, with the reason; empty if nothing."""
    return rows_by(JUDGED, "chip").get(chip, {})


def urls(table: str, row: Row, field: str) -> tuple[str, ...]:
    """Return the addresses of the sources that a field of a row lists, if it has the field."""
    return tuple(url_of(table, source) for source in row.get(field, ()))


def _judged(chip: str, ram: Sequence[int], flash: Sequence[int], page: str) -> Statement:
    """Return sizes of the parts list of STM32, whose RAM is wrong for some lines."""
    judged = judgement(chip)
    if not judged:
        return _statement(ram, flash, (page,))
    corrected = [judged["ram"]] if "ram" in judged else []
    pages = (url_of(JUDGED, judged["source"]),) if "source" in judged else ()
    return _statement(corrected, flash, (page, *pages))


def _statement(ram: Sequence[int], flash: Sequence[int], pages: tuple[str, ...]) -> Statement:
    """Return sizes as facts: one is the chip's, several are options, and no flash is no fact."""
    facts = _sizes(RAM, RAM_OPTIONS, ram) | _sizes(FLASH, FLASH_OPTIONS, flash)
    return Statement(facts, pages if facts else ())


def _sizes(size: str, options: str, sizes: Sequence[int]) -> dict[str, Json]:
    """Return sizes as one fact; none if some chips of a line lack the memory."""
    if not sizes or 0 in sizes:
        return {}
    return {size: sizes[0]} if len(sizes) == 1 else {options: [*sizes]}
