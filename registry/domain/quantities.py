"""Read numbers with a unit, such as `4 GiB` and `1.5 GHz`, exactly.

Prefixes are those of the SI and of IEC 80000-13: a kB has 1,000 bytes, a KiB 1,024. What is used in
both senses, such as KB, is refused with both readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache

BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi")  # powers of 1,024
DECIMAL = ("", "k", "M", "G", "T", "P", "E")  # powers of 1,000
SYMBOLS: Mapping[str, tuple[str, ...]] = {  # of the units in schemas that take prefixes
    "bytes": ("B",),
    "bytes/s": ("B/s",),
    "operations/s": ("op/s", "OPS", "FLOPS"),
    "Hz": ("Hz",),
    "W": ("W",),
}
BINARY_UNITS = frozenset({"bytes", "bytes/s"})
EXAMPLES = {
    "bytes": "4 GiB",
    "bytes/s": "51.2 GB/s",
    "operations/s": "26 TOPS",
    "Hz": "1.5 GHz",
    "W": "7.5 W",
}
QUANTITY = re.compile(r"([0-9]{1,16}(?:\.[0-9]{1,9})?)\s*([A-Za-z][A-Za-z/]{0,15})")


class QuantityInvalid(ValueError):
    """A number whose unit is unknown or ambiguous, with the quantities that it may stand for."""

    def __init__(self, message: str, readings: tuple[str, ...]) -> None:
        super().__init__(message)
        self.readings = readings


def parse_quantity(text: str, unit: str) -> Fraction | None:
    """Return the number of `unit` that a text states; None if it is not a number with a unit.

    Raises `QuantityInvalid`.
    """
    match = QUANTITY.fullmatch(text.strip())
    if not match or not unit:
        return None
    number, symbol = match.groups()
    scales = _scales(unit)
    if symbol in scales:
        return Fraction(number) * scales[symbol]
    readings = [f"{number} {known}" for known in scales if _may_mean(symbol, known, unit)]
    problem = "can be read in several ways" if len(readings) > 1 else f"is not in {unit}"
    raise QuantityInvalid(f'"{number} {symbol}" {problem}', tuple(readings))


@cache
def _scales(unit: str) -> dict[str, Fraction]:
    """Return the factor of each symbol for a unit."""
    symbols = SYMBOLS.get(unit, ())
    scales = {prefix + symbol: scale for symbol in symbols for prefix, scale in _prefixes(unit)}
    return {unit: Fraction(1), unit.removesuffix("s"): Fraction(1), **scales}


def _prefixes(unit: str) -> Iterator[tuple[str, Fraction]]:
    yield from ((prefix, Fraction(1000) ** power) for power, prefix in enumerate(DECIMAL))
    if unit in BINARY_UNITS:
        yield from ((prefix, Fraction(1024) ** power) for power, prefix in enumerate(BINARY))
    if unit == "W":
        yield "m", Fraction(1, 1000)


def _may_mean(symbol: str, known: str, unit: str) -> bool:
    """Return whether a symbol is a known one but for case, a missing `i` or a missing unit."""
    names = SYMBOLS.get(unit, (unit,))
    meanings = {known.casefold(), known.replace("i", "").casefold()}
    prefixes = {meaning.removesuffix(names[0].casefold()) for meaning in meanings}
    return symbol.casefold() in meanings | (prefixes - {""})
