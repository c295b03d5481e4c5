"""Format values for people: numbers with units."""

from __future__ import annotations

from registry.domain.document import Json
from registry.domain.quantities import BINARY, DECIMAL
from registry.domain.search.comparable_facts import ComparableFact

SCALED = {  # unit in a kind's schema: (symbol, step between prefixes, prefixes)
    "bytes": ("B", 1024, BINARY),
    "bytes/s": ("B/s", 1000, DECIMAL),
    "operations/s": ("op/s", 1000, DECIMAL),
    "Hz": ("Hz", 1000, DECIMAL),
}
MAX_TEXT = 240  # characters of a value in a cell
WORDS = {
    "gpu": "GPU",
    "npu": "NPU",
    "max shared memory per block optin": "Max shared memory per block, opt-in",
}
SUFFIXES = ("_bytes_per_s", "_per_s", "_bytes", "_bits", "_watts", "_hz", "_nm")


def humanize(value: Json, unit: str) -> str:
    """Format 49152 bytes as `48 KiB`, and a list item by item.

    Returns nothing if there is no unit, or the value or an item is not a number.
    """
    if isinstance(value, list):
        items = [humanize(item, unit) for item in value]
        return ", ".join(items) if all(items) else ""
    if not unit or isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if unit not in SCALED:
        return f"{value:,} {unit.removesuffix('s') if value == 1 else unit}"
    symbol, step, prefixes = SCALED[unit]
    scaled, power = float(value), 0
    while scaled >= step and power < len(prefixes) - 1:
        scaled, power = scaled / step, power + 1
    return f"{_short(scaled)} {prefixes[power]}{symbol}"


def _short(number: float) -> str:
    """Return a number with at most three significant digits; whole numbers stay whole."""
    return f"{number:,.0f}" if number.is_integer() or number >= 100 else f"{number:.3g}"


def label(key: str, *parts: str) -> str:
    """Return the label of a hardware fact, without its unit: `Memory` for `memory_bytes`."""
    for suffix in SUFFIXES:
        key = key.removesuffix(suffix)
    words = " ".join((key.replace("_", " "), *parts))
    return WORDS.get(words, words[:1].upper() + words[1:])


def fact_text(fact: ComparableFact, number: float | None) -> str:
    """Return a fact for people, with its unit; empty if it is not stated."""
    if number is None:
        return ""
    whole = int(number) if number.is_integer() else number
    return humanize(whole, fact.unit) or str(whole)
