"""The facts that lists of tags show in columns: for each category those by which people choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from registry.domain.search.comparable_facts import COMPARABLE_FACTS, ComparableFact


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of a list; `fact` is None if its values are texts, which have no order."""

    name: str  # what parameters call it
    title: str
    pointer: str
    fact: ComparableFact | None = None


CHIP = "chip"  # the tag of the chip that a machine is built around, which its lineage states
COLUMNS: Mapping[str, ListColumn] = {
    column.name: column
    for column in (
        ListColumn(CHIP, "Chip", ""),
        *(ListColumn(f.name, f.title, f.pointer, f) for f in COMPARABLE_FACTS.values()),
        ListColumn("gpu", "GPU", "/hardware/gpu"),
        ListColumn("npu", "NPU", "/hardware/npu"),
    )
}
_CPU = ("cores", "threads", "clock", "power", "year")
_COMPUTER = (CHIP, "cores", "memory", "year")
_MICROCONTROLLER = ("memory", "flash", "clock")
ANY_CATEGORY = ("cores", "memory", "year")
COLUMNS_BY_CATEGORY: Mapping[str, tuple[str, ...]] = {
    "cloud-instance": ("threads", "memory", "accelerators"),
    "server-cpu": _CPU,
    "desktop-cpu": _CPU,
    "laptop-cpu": _CPU,
    "cpu-core": (),  # what makes a core one, its line says
    "gpu": ("memory", "bandwidth", "compute_units", "year"),
    "npu": ("memory", "bandwidth", "power"),
    "soc": ("cores", "gpu", "npu"),
    "module": (CHIP, "cores", "gpu", "memory"),
    "board": (CHIP, "cores", "gpu", "memory"),
    "phone": (CHIP, "gpu", "year"),
    "tablet": (CHIP, "gpu", "year"),
    "laptop": _COMPUTER,
    "desktop": _COMPUTER,
    "microcontroller": _MICROCONTROLLER,
    "microcontroller-board": (CHIP, *_MICROCONTROLLER),
}


def fitting_columns(chosen: Collection[str], categories: Sequence[str]) -> list[ListColumn]:
    """Return the chosen columns that exist, or those that fit what most of the tags are.

    `categories` has that of each tag; where no category has more than half of the tags, the
    columns are those that most machines can state.
    """
    if chosen:
        return [column for name, column in COLUMNS.items() if name in chosen]
    return [COLUMNS[name] for name in _names(categories)]


def _names(categories: Iterable[str]) -> tuple[str, ...]:
    counts = Counter(categories)
    category, count = next(iter(counts.most_common(1)), ("", 0))
    is_most = 2 * count > counts.total()
    return COLUMNS_BY_CATEGORY.get(category, ANY_CATEGORY) if is_most else ANY_CATEGORY
