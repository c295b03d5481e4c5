"""Results of the race: the rates of all contenders in each round, and their ratios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.race.contenders import (
    BARE_HOOK,
    BARE_WSGI,
    DOCKER,
    NGINX,
    NGINX_304,
    Contenders,
    bare_view_of,
    long_way,
    memory,
    memory_304,
)

WARM_UP = 1  # seconds, not counted

Round = dict[str, float]  # requests per second by contender

RATIOS = [  # two contenders, and the goal for the rate of the first : that of the second
    (memory("SQLite"), BARE_HOOK, "0.8"),
    (memory("SQLite"), DOCKER, "20"),
    (memory("SQLite"), NGINX, "toward 0.8"),
    (memory("SQLite"), BARE_WSGI, ""),
    (memory_304("SQLite"), NGINX_304, ""),
    (memory("PostgreSQL"), BARE_HOOK, "0.8"),
    (memory("PostgreSQL"), DOCKER, "20"),
    (memory("PostgreSQL"), NGINX, "toward 0.8"),
    (bare_view_of("SQLite"), long_way("SQLite"), "at most 1.3"),
    (bare_view_of("PostgreSQL"), long_way("PostgreSQL"), "at most 1.3"),
    (long_way("SQLite"), DOCKER, ""),
    (BARE_HOOK, NGINX, ""),
]


@dataclass(frozen=True, slots=True)
class Spread:
    """The median, the minimum and the maximum of some numbers."""

    median: float
    minimum: float
    maximum: float

    @classmethod
    def of(cls, numbers: Iterable[float]) -> Spread:
        """Return the spread of numbers."""
        values = list(numbers)
        return cls(median(values), min(values), max(values))


def run_rounds(contenders: Contenders, *, rounds: int, seconds: int) -> list[Round]:
    """Measure all contenders in turn, once in each round; each round begins with another one."""
    names = list(contenders)
    for contender in contenders.values():
        contender(WARM_UP)
    results = []
    for number in range(rounds):
        start = number % len(names)
        rates = {name: contenders[name](seconds) for name in names[start:] + names[:start]}
        results.append({name: rates[name] for name in names})
    return results


def rate(rounds: Sequence[Round], name: str) -> Spread:
    """Return a contender's requests per second."""
    return Spread.of(rates[name] for rates in rounds)


def ratio(rounds: Sequence[Round], name: str, other: str) -> Spread:
    """Return the rate of a contender divided by that of another one, in the same rounds."""
    return Spread.of(rates[name] / rates[other] for rates in rounds)


def number(value: float) -> str:
    """Return a ratio with two or three significant digits."""
    if value < 0.1:
        return f"{value:.2g}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"
