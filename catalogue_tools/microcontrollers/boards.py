"""Boards with a microcontroller, whose tag they inherit from."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.microcontrollers.others import facts_of
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag, described_tag

BOARDS = "platformio/boards"
FILES = {"st": "microcontroller-boards"}  # where chips and boards have a file of their own


def tags() -> Iterator[GeneratedTag]:
    """Yield the tag of each board, with a variant for each further core of its chip."""
    for row in read_table(BOARDS).rows:
        page = url_of(BOARDS, row["source"], f"boards/{row['id']}.json")
        chips = []
        if "ram" in row:
            chips = [url_of("stm32-data/lines", path=f"data/chips/{row['ram_chip']}.json")]
        yield from _board(
            row,
            Statement({"vendor": row["vendor"]}, [page]),
            Statement(measured(row, "hz"), [page]),
            Statement(measured(row, "ram"), chips),
        )
    zephyr = read_table("zephyr/microcontrollers")
    for row in zephyr.rows:
        if "chip" in row:
            origins = tuple(zephyr.url(source) for source in row["sources"])
            yield from _board(row, Statement(facts_of(row), origins))


def _board(row: Row, *statements: Statement) -> Iterator[GeneratedTag]:
    """Yield the tags of a board. The first statement is about the whole board."""
    name, chip, model = row["tag"], row["chip"], row["model"]
    namespace, _, product = name.partition("/")
    file = f"{namespace}/{FILES.get(namespace, 'microcontrollers')}"
    alias = f"{namespace}/{slug(row.get('id', '').replace('_', '-'))}"
    chip_name = chip.partition("/")[2].upper()
    identity = {"category": "microcontroller-board", "model": model, "vendor": row["vendor"]}
    for core in ("", *row.get("cores", ())):
        suffix = f":{core}" if core else ""
        yield described_tag(
            f"{name}{suffix}",
            file,
            {"tag": f"{chip}{suffix}@1", "model": product},
            f"{model}: a board with {chip_name}{f', its core {core}' if core else ''}",
            Statement(identity, statements[0].urls),
            *(() if core else statements),
            aliases=(alias,) if "id" in row and not core and alias != name else (),
        )
