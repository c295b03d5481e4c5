"""The facts by which people choose among the tags of a list, and the order of their categories."""

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

# Decision 147: a list to look around in begins with machines, not with the first vendor by name.
MACHINES_FIRST = (
    *("cloud-instance", "gpu", "laptop", "desktop", "phone", "tablet", "module", "board"),
    *("npu", "server-cpu", "desktop-cpu", "laptop-cpu", "soc"),
    *("microcontroller-board", "microcontroller", "cpu-core"),
)
UNKNOWN_PLACE = len(MACHINES_FIRST)  # of tags without a category
FAMILY_PLACE = UNKNOWN_PLACE + 1  # of what machines share, which few facts tell apart


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


def place_of(category: str, *, is_family: bool = False) -> int:
    """Return the place of a category in lists, from 0 on; families come last."""
    if is_family:
        return FAMILY_PLACE
    return MACHINES_FIRST.index(category) if category in MACHINES_FIRST else UNKNOWN_PLACE
