"""GPUs and neural processors of chips by name, and the GPUs of boards that one can build for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catalogue_tools.devices.accelerators import (
    GPU_VARIANTS,
    NPUS,
    UNITS,
    Accelerator,
    accelerator_body,
    accelerators,
    chip_accelerator,
    variant_tag,
)
from catalogue_tools.devices.chips import PAGES, Chip, chips, page_url
from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

CORRECTIONS = "corrections/devices"
# Those that also count the cores of a GPU come first.
TABLES = (
    "radxa-docs/socs",
    "pine64/socs",
    "raspberry-pi-docs/socs",
    "linux-device-trees/soc_gpus",
)


@dataclass(frozen=True, slots=True)
class Stated:
    """The name of a part of a chip, with the row that states it, and the pages."""

    name: str
    row: Row
    urls: tuple[str, ...]


def tags() -> Iterator[GeneratedTag]:
    """Yield the GPUs of chips that no phone has."""
    for chip in chips():
        if not accelerators(chip).keys() & {*GPU_VARIANTS}:
            yield from _gpu_tags(chip)


def chip_facts(chip: Chip) -> Iterator[Statement]:
    """Yield the names of a chip's GPU and neural processor, with what states them."""
    for part in ("gpu", "npu"):
        if stated := _agreed(chip.tag, part) or _agreed(chip.parent, part):
            urls = dict.fromkeys(url for statement in stated for url in statement.urls)
            yield Statement({part: stated[0].name}, [*urls])


def statements(tag: str, part: str) -> Iterator[Stated]:
    """Yield what each source says of a part of a chip, `gpu` or `npu`."""
    for table in TABLES:
        for row in read_table(table).rows:
            if row["tag"] == tag and part in row:
                yield Stated(row[part], row, read_table(table).pages(row))
    if part == "gpu" and (page := rows_by(PAGES, "tag").get(tag)):
        units = UNITS.fullmatch(page["gpu"])
        yield Stated(units[1] if units else page["gpu"], page, (page_url(page),))
    if part == "npu" and (npu := rows_by(NPUS, "tag").get(tag)):
        name = f"Hexagon {npu['hexagon'].removeprefix('hexagon')}"
        yield Stated(name, npu, (url_of(NPUS),))


def _agreed(tag: str, part: str) -> list[Stated]:
    """Return the statements that have the name which the chip gets."""
    stated = [*statements(tag, part)]
    chosen = rows_by(CORRECTIONS, "tag").get(tag, {}).get(part, stated[0].name if stated else "")
    return [statement for statement in stated if statement.name == chosen]


def _gpu_tags(chip: Chip) -> Iterator[GeneratedTag]:
    stated = _agreed(chip.tag, "gpu") or _agreed(chip.parent, "gpu")
    rows = [statement.row for statement in stated if "gpu_tag" in statement.row]
    if not rows:
        return
    units = next((row["units"] for row in rows if "units" in row), None)
    facts: Mapping[str, Json] = {"compute_units": units} if units else {}
    for variant in GPU_VARIANTS:
        tag = variant_tag(rows[0]["gpu_tag"], variant)
        own = Accelerator(tag, stated[0].name, {}, facts, stated[0].urls[0])
        body = chip_accelerator(chip, variant) if chip.parent else accelerator_body(chip, own)
        yield GeneratedTag(
            f"{chip.tag}:{variant}",
            f"devices/{chip.tag.partition('/')[0]}",
            body,
            own.message(variant),
            (*chip.urls, *([own.url] if own.url not in chip.urls else [])),
        )
