"""Numbers with units for people, shown beside the raw values."""

from __future__ import annotations

from registry.domain.document import Json

BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi")
DECIMAL = ("", "k", "M", "G", "T", "P", "E")
SCALED = {  # unit in a kind's schema: its symbol, the step between prefixes, the prefixes
    "bytes": ("B", 1024, BINARY),
    "bytes/s": ("B/s", 1000, DECIMAL),
    "operations/s": ("op/s", 1000, DECIMAL),
    "Hz": ("Hz", 1000, DECIMAL),
}
SUFFIXES = ("_bytes_per_s", "_per_s", "_bytes", "_watts", "_hz", "_nm")


def humanize(value: Json, unit: str) -> str:
    """Return `48 KiB` for 49152 bytes, `1,024 threads`; empty without a unit or a number."""
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


def label(key: str) -> str:
    """Return the label of a fact, without its unit: `memory_bytes` becomes Memory."""
    for suffix in SUFFIXES:
        key = key.removesuffix(suffix)
    words = key.replace("_", " ")
    return words[:1].upper() + words[1:]
