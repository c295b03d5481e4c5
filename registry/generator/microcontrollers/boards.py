"""Boards with a microcontroller, whose tag they inherit from."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.document import Json
from registry.generator.facts import Row, read_table
from registry.generator.microcontrollers.others import facts_of
from registry.generator.names import slug
from registry.generator.tags import GeneratedTag

FILES = {"st": "microcontroller-boards"}  # where chips and boards have a file of their own


def tags() -> Iterator[GeneratedTag]:
    """Yield the tag of each board, with a variant for each further core of its chip."""
    platformio, zephyr = read_table("platformio/boards"), read_table("zephyr/microcontrollers")
    for row in platformio.rows:
        facts: dict[str, Json] = {"vendor": row["vendor"]}
        if "hz" in row:
            facts["boost_clock_hz"] = row["hz"]
        if "ram" in row:
            facts["memory_bytes"] = row["ram"]
        sources = [platformio.url(row["source"], f"boards/{row['id']}.json")]
        if "ram_chip" in row:
            sources.append(
                read_table("stm32-data/lines").url(path=f"data/chips/{row['ram_chip']}.json")
            )
        yield from _board(row, facts, tuple(sources))
    for row in zephyr.rows:
        if "chip" in row:
            origins = tuple(zephyr.url(source) for source in row["sources"])
            yield from _board(row, facts_of(row), origins)


def _board(row: Row, facts: dict[str, Json], sources: tuple[str, ...]) -> Iterator[GeneratedTag]:
    name, chip, model = row["tag"], row["chip"], row["model"]
    namespace, _, product = name.partition("/")
    file = f"{namespace}/{FILES.get(namespace, 'microcontrollers')}"
    alias = f"{namespace}/{slug(row.get('id', '').replace('_', '-'))}"
    chip_name = chip.partition("/")[2].upper()
    for core in ("", *row.get("cores", ())):
        suffix = f":{core}" if core else ""
        shown = facts if not core else {"vendor": row["vendor"]}
        yield GeneratedTag(
            f"{name}{suffix}",
            file,
            {
                "tag": f"{chip}{suffix}@1",
                "model": product,
                "hardware": {
                    "category": "microcontroller-board",
                    "model": model,
                    **shown,
                    "sources": {"$append": [*sources]},
                },
            },
            f"{model}: a board with {chip_name}{f', its core {core}' if core else ''}",
            sources,
            aliases=(alias,) if "id" in row and not core and alias != name else (),
        )
