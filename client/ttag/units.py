"""Quantities for people: hardware facts with their units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
DECIMAL = ("", "k", "M", "G", "T", "P", "E")
# The end of a fact's name states its unit. Longer ends come first.
DECIMAL_UNITS = {"_bytes_per_s": "B/s", "_ops_per_s": "op/s", "_hz": "Hz", "_watts": "W"}


def facts_with_units(hardware: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each fact as a name and a value with its unit. Sources are left out."""
    for name, value in hardware.items():
        if name == "sources":
            continue
        if isinstance(value, Mapping):
            rates = (f"{key} {quantity(name, rate)}" for key, rate in value.items())
            yield _label(name), ", ".join(rates)
        else:
            yield _label(name), quantity(name, value)


def quantity(name: str, value: Any) -> str:
    """Return the value of a fact with the unit that its name states, such as `4 GiB`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    for end, unit in DECIMAL_UNITS.items():
        if name.endswith(end):
            return _scaled(value, 1000, tuple(f"{prefix}{unit}" for prefix in DECIMAL))
    if name.endswith("_bytes") or name == "max_shared_memory_per_block_optin":
        return _scaled(value, 1024, BINARY)
    return f"{value:g} nm" if name.endswith("_nm") else f"{value:,}"


def _scaled(value: float, step: int, units: tuple[str, ...]) -> str:
    """Return a value in the largest unit of which it is at least one."""
    power = 0
    while abs(value) >= step and power < len(units) - 1:
        value /= step
        power += 1
    return f"{value:.4g} {units[power]}"


def _label(name: str) -> str:
    for end in ("_bytes_per_s", "_per_s", "_bytes", "_hz", "_watts", "_nm"):
        name = name.removesuffix(end)
    return name.replace("_", " ")
