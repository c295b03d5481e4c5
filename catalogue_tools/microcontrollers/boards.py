"""Boards with a microcontroller, whose tag they inherit from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catalogue_tools.facts import Row, read_table
from catalogue_tools.hardware import Statement, hardware, pages
from catalogue_tools.microcontrollers.others import facts_of
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag

FILES = {"st": "microcontroller-boards"}  # where chips and boards have a file of their own


def tags() -> Iterator[GeneratedTag]:
    """Yield the tag of each board, with a variant for each further core of its chip."""
    platformio, zephyr = read_table("platformio/boards"), read_table("zephyr/microcontrollers")
    for row in platformio.rows:
        page = platformio.url(row["source"], f"boards/{row['id']}.json")
        statements = [Statement({"vendor": row["vendor"]}, [page])]
        if "hz" in row:
            statements.append(Statement({"boost_clock_hz": row["hz"]}, [page]))
        if "ram" in row:
            chip = read_table("stm32-data/lines").url(path=f"data/chips/{row['ram_chip']}.json")
            statements.append(Statement({"memory_bytes": row["ram"]}, [chip]))
        yield from _board(row, statements)
    for row in zephyr.rows:
        if "chip" in row:
            origins = tuple(zephyr.url(source) for source in row["sources"])
            yield from _board(row, [Statement(facts_of(row), origins)])


def _board(row: Row, statements: Sequence[Statement]) -> Iterator[GeneratedTag]:
    """Yield the tags of a board. The first statement is about the whole board."""
    name, chip, model = row["tag"], row["chip"], row["model"]
    namespace, _, product = name.partition("/")
    file = f"{namespace}/{FILES.get(namespace, 'microcontrollers')}"
    alias = f"{namespace}/{slug(row.get('id', '').replace('_', '-'))}"
    chip_name = chip.partition("/")[2].upper()
    for core in ("", *row.get("cores", ())):
        suffix = f":{core}" if core else ""
        first = statements[0]
        identity = {"category": "microcontroller-board", "model": model, "vendor": row["vendor"]}
        stated = [Statement(identity, first.urls), *(() if core else statements)]
        yield GeneratedTag(
            f"{name}{suffix}",
            file,
            {
                "tag": f"{chip}{suffix}@1",
                "model": product,
                "hardware": hardware(*stated),
            },
            f"{model}: a board with {chip_name}{f', its core {core}' if core else ''}",
            pages(*stated),
            aliases=(alias,) if "id" in row and not core and alias != name else (),
        )
