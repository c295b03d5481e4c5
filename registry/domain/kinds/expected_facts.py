"""The hardware facts by which people choose, for each category of machine.

They are named by their pointers below `hardware`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

MEMORY, FLASH = "memory_bytes", "flash_bytes"
OPTIONS = {"memory_options_bytes": MEMORY, "flash_options_bytes": FLASH}  # sizes of a product

_CPU = ("cores", "l3_cache_bytes", "base_clock_hz", "boost_clock_hz", "power_watts", "launched")
_DEVICE = ("clusters", "gpu", "npu", MEMORY, "launched")
_COMPUTER = ("cores", "gpu", MEMORY, "launched")
_MICROCONTROLLER = (MEMORY, FLASH)

EXPECTED_FACTS: Mapping[str, tuple[str, ...]] = {
    "cloud-instance": ("cores", MEMORY),
    "server-cpu": _CPU,
    "desktop-cpu": _CPU,
    "laptop-cpu": _CPU,
    "gpu": (
        MEMORY,
        "memory_bandwidth_bytes_per_s",
        "compute_units",
        "l2_cache_bytes",
        "boost_clock_hz",
        "power_watts",
        "launched",
    ),
    "npu": ("peak_ops_per_s/int8", MEMORY, "power_watts", "launched"),
    "soc": ("clusters", "gpu", "npu"),
    "module": _DEVICE,
    "board": (*_DEVICE, "boost_clock_hz"),
    "phone": _DEVICE,
    "tablet": _DEVICE,
    "laptop": _COMPUTER,
    "desktop": _COMPUTER,
    "microcontroller": (*_MICROCONTROLLER, "boost_clock_hz"),
    "microcontroller-board": (*_MICROCONTROLLER, "configured_clock_hz", "launched"),
}


def stated_fact(name: str) -> str:
    """Return the expected fact that a stated one answers: sizes to choose from are memory too."""
    return OPTIONS.get(name, name)


def missing_facts(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the facts that the hardware of a machine of this category should state and does not."""
    category = facts.get("category")
    stated = {stated_fact(name) for name in _names(facts)}
    expected = EXPECTED_FACTS.get(category, ()) if isinstance(category, str) else ()
    yield from (name for name in expected if name not in stated)


def _names(facts: Mapping[str, Any]) -> Iterator[str]:
    for name, value in facts.items():
        yield name
        if isinstance(value, dict):
            yield from (f"{name}/{inner}" for inner in value)
