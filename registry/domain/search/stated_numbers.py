"""Numbers with a unit in a search, compared with facts and names: `16gb`, `350 W`, `13 inch`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Self

# Sold as 24 GB are 24e9 or 24 * 2**30 bytes, of which drivers keep some for themselves.
DECIMAL = {"k": 1e3, "m": 1e6, "g": 1e9}
BINARY = {"k": 2**10, "m": 2**20, "g": 2**30}
CLOSE = (0.99, 1.01)
USABLE = (0.96, 1.01)

MEMORY = (
    "/hardware/memory_bytes",
    "/hardware/memory_options_bytes",
    "/hardware/accelerator_memory_bytes",
    "/hardware/flash_bytes",
    "/hardware/flash_options_bytes",
)
CORES = ("/hardware/cores", "/hardware/performance_cores", "/hardware/efficiency_cores")
THREADS = ("/hardware/threads",)
UNITS = ("/hardware/compute_units", "/hardware/gpu/compute_units")
POWER = ("/hardware/power_watts",)
LAUNCHED = ("/hardware/launched/year",)
YEAR = "year"  # a title
INCHES = "inches"  # of a screen, which names alone state

# By the unit: where the facts of the first group are not stated, the next one is meant.
FACTS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "memory": (MEMORY,),
    "power": (POWER,),
    "cores": (CORES, THREADS, UNITS),
    "threads": (THREADS, CORES),
    "compute units": (UNITS,),
    YEAR: (LAUNCHED,),
    INCHES: (),
}

NUMBER = re.compile(
    r"(?<![^\W_]|[.+])(?:(?P<size>\d+(?:\.\d+)?)[ ]?(?P<prefix>[kmg])i?b(?:ytes?)?(?![\w])"
    r"|(?P<power>\d{2,} ?w(?:atts?)|\d{2,} w|1?\d{1,2}[05]w)(?![\w])"
    r"|(?P<cores>\d+)[ -]?cores?(?![\w-])"
    r"|(?P<threads>\d+)[ -]?(?:vcpus?|threads?)(?![\w-])"
    r"|(?P<units>\d+)[ -]?(?:cus?|sms?|eus?)(?![\w-])"
    r"|(?P<inches>\d{1,2}(?:\.\d+)?)(?:[ -]?inch(?:es)?|\")(?![\w])"
    r"|(?P<year>20[0-3]\d)(?![\w.-]))",
    re.IGNORECASE,
)


class FactAnswer(Enum):
    """The answer of a machine's facts to a number."""

    MEETS = "states it"
    UNSTATED = "does not state it"
    CONTRADICTS = "states another"


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number of a search with its unit, and the values that mean it.

    `value` is in the unit of the facts; of memory, in bytes as cards and boards have it.
    """

    text: str
    title: str
    ranges: tuple[tuple[float, float], ...]
    value: float

    @property
    def pointers(self) -> frozenset[str]:
        return frozenset(pointer for group in FACTS[self.title] for pointer in group)

    def stated_by(self, facts: Mapping[str, Sequence[float]]) -> list[float]:
        """Return the values that a machine states of what the number counts.

        Threads are no cores where both are stated: a processor of 8 cores has 16 threads.
        """
        for group in FACTS[self.title]:
            if values := [value for pointer in group for value in facts.get(pointer, ())]:
                return values
        return []

    @classmethod
    def all_in(cls, text: str) -> Iterator[Self]:
        for match in NUMBER.finditer(text):
            yield cls(match.group().strip(), *_meaning(match.groupdict()))

    def answer(self, stated: Sequence[float]) -> FactAnswer:
        """Return whether the values of the facts mean the number."""
        if not stated:
            return FactAnswer.UNSTATED
        meets = any(low <= value <= high for value in stated for low, high in self.ranges)
        return FactAnswer.MEETS if meets else FactAnswer.CONTRADICTS


def _meaning(parts: Mapping[str, str | None]) -> tuple[str, tuple[tuple[float, float], ...], float]:
    if size := parts["size"]:
        prefix = (parts["prefix"] or "g").lower()
        sizes = ((float(size) * DECIMAL[prefix], CLOSE), (float(size) * BINARY[prefix], USABLE))
        ranges = tuple((value * low, value * high) for value, (low, high) in sizes)
        return "memory", ranges, float(size) * BINARY[prefix]
    for title in FACTS:
        if number := parts.get(title.split()[-1]):
            value = float(number.lower().rstrip("wats "))
            return title, ((value, value),), value
    raise ValueError(parts)
