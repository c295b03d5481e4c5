"""Memory of boards, modules, phones and tablets, and the parts that they have with their chip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catalogue_tools.devices.chip_gpus import CORRECTIONS, chip_facts
from catalogue_tools.devices.chips import Chip
from catalogue_tools.facts import Row, read_table, rows_by
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.tags import Disagreement
from registry.domain.document import Json

OTHER_CORES = "corrections/core_counts"
MEMORY = (
    "huggingface/jetson_modules",
    "lineageos/memory",
    "pine64/boards",
    "radxa-docs/boards",
    "raspberry-pi-docs/boards",
)


def tags() -> Iterator[Disagreement]:
    """Yield the facts of machines and their chips that sources state differently."""
    for row in read_table(CORRECTIONS).rows:
        yield Disagreement(row["tag"], row["fact"], row["values"], row["choice"])


def machine_facts(tag: str, chip: Chip | None = None) -> Iterator[Statement]:
    """Yield facts of a machine, each with what states it.

    Those of its chip are stated again: a released tag inherits from the chip as it was.
    """
    for table in MEMORY:
        if row := rows_by(table, "tag").get(tag):
            pages = read_table(table).pages(row)
            yield Statement(memory(row["sizes_bytes"]) | measured(row, "memory_type"), pages)
            yield Statement(measured(row, "released"), pages[:1])
    if (other_cores(tag) or {}).get("other_gpu"):
        yield Statement({"gpu": None}, ())
    elif chip:
        yield from chip_facts(chip)


def other_cores(tag: str) -> Row | None:
    """Return the row of a machine that does not take the number of cores of its chip."""
    return rows_by(OTHER_CORES, "tag").get(tag)


def memory(sizes: Sequence[int]) -> dict[str, Json]:
    """Return the size of memory of a product, or all sizes in which it is sold."""
    if len(sizes) == 1:
        return {"memory_bytes": sizes[0]}
    options: list[Json] = [*sorted(sizes)]
    return {"memory_options_bytes": options}
