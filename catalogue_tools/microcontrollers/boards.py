"""Boards with a microcontroller, whose tag they inherit from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.hardware import IDENTITY, Statement, group_of
from catalogue_tools.microcontrollers.memory import (
    FLASH_OPTIONS,
    RAM,
    RAM_OPTIONS,
    chip_memory,
    judgement,
    part_memory,
)
from catalogue_tools.microcontrollers.others import CORES, highest_clock
from catalogue_tools.names import slug
from catalogue_tools.superseded import with_former_names
from catalogue_tools.tags import GeneratedTag, Superseded, described_tag

BOARDS = "platformio/boards"
FILES = {"st": "microcontroller-boards"}  # where chips and boards have a file of their own
CLOCK = "configured_clock_hz"
TOO_FAST = "The framework states a clock that the chip does not have."
SET_CLOCK = "A framework sets this clock; the chip may run faster."


def tags() -> Iterator[GeneratedTag | Superseded]:
    """Yield the tag of each board, with a variant for each further core of its chip."""
    for row in read_table(BOARDS).rows:
        board = _board(row, url_of(BOARDS, row["source"], f"boards/{row['id']}.json"))
        yield from with_former_names(row, "board", board)
    zephyr = read_table(CORES)
    for row in zephyr.rows:
        if "chip" in row:
            yield from _board(row, *(zephyr.url(source) for source in row["sources"]))


def _board(row: Row, *pages: str) -> Iterator[GeneratedTag]:
    """Yield the tags of a board. The clock is that of its first core."""
    name, chip, model = row["tag"], row["chip"], row["model"]
    namespace, _, product = name.partition("/")
    file = f"{namespace}/{FILES.get(namespace, 'microcontrollers')}"
    alias = f"{namespace}/{slug(row.get('id', '').replace('_', '-'))}"
    chip_name = rows_by(CORES, "tag").get(chip, {}).get("model", chip.partition("/")[2].upper())
    identity = {"category": "microcontroller-board", "model": model, "vendor": row["vendor"]}
    clock = {CLOCK: row["hz"]} if _has_clock(row) else {}
    for core in ("", *row.get("cores", ())):
        suffix = f":{core}" if core else ""
        yield described_tag(
            f"{name}{suffix}",
            file,
            {"tag": f"{chip}{suffix}@1", "model": product},
            f"{model}: a board with {chip_name}{f', its core {core}' if core else ''}",
            Statement(identity, pages),
            Statement({} if core else clock, pages),
            _memory(row),
            joined_groups=_joined_groups(chip),
            aliases=(alias,) if "id" in row and not core and alias != name else (),
            correction="" if core else _correction(row),
        )


def _has_clock(row: Row) -> bool:
    """Return whether a manifest states a clock that the chip can have."""
    highest: dict[str, Any] = dict(highest_clock(row["chip"]).facts)
    return "hz" in row and row["hz"] <= highest.get("boost_clock_hz", row["hz"])


def _joined_groups(chip: str) -> tuple[str, ...]:
    """Return the groups in which a board adds its pages to those of its chip."""
    return (IDENTITY, group_of(CLOCK)) if highest_clock(chip).facts else (IDENTITY,)


def _memory(row: Row) -> Statement:
    """Return the memory of the part that a board carries, in place of the options of its line."""
    of_chip = chip_memory(row["chip"])
    options = {RAM_OPTIONS, FLASH_OPTIONS} & of_chip.facts.keys()
    part = row["part"] if RAM_OPTIONS in options else row.get("part")
    stated = part_memory(part, row["chip"]) if part else Statement({}, ())
    if options and not part and RAM in of_chip.facts:  # whose pages stay
        stated = replace(of_chip, facts={}, more_groups=(group_of(RAM),))
    # Decision 137: a board is not sold in the sizes of its line.
    return replace(stated, facts={**dict.fromkeys(sorted(options)), **stated.facts})


def _correction(row: Row) -> str:
    """Return why earlier versions of a board, or of its chip, were wrong."""
    chip, judged = rows_by(CORES, "tag").get(row["chip"], {}), judgement(row["chip"])
    ram = f"{judged['reason']}." if "ram" in judged and "part" in row else ""
    clock = SET_CLOCK if _has_clock(row) else TOO_FAST if "hz" in row else ""
    return " ".join(filter(None, (chip.get("correction", ""), ram, clock)))
