"""Processors of IBM: POWER by its name, IBM Z by the type of the machine."""

from __future__ import annotations

import re

from ttag_rules.probe.facts import Core

POWER = re.compile(r"POWER([0-9]{1,2})")
POWER_GENERATIONS = ("7", "8", "9", "10", "11")
Z_MACHINES = {
    "2817": "z196",
    "2818": "z196",
    "2827": "zEC12",
    "2828": "zEC12",
    "2964": "z13",
    "2965": "z13",
    "3906": "z14",
    "3907": "z14",
    "8561": "z15",
    "8562": "z15",
    "3931": "z16",
    "3932": "z16",
    "9175": "z17",
    "9176": "z17",
}


def identify_power(cpu: str) -> Core:
    """Return LLVM's name of what Linux calls `POWER9, altivec supported`."""
    match = POWER.match(cpu)
    if match and match[1] in POWER_GENERATIONS:
        return Core(f"pwr{match[1]}")
    return Core("generic", caveat=f"LLVM has no name for the processor {cpu!r}")


def identify_z(machine: str) -> Core:
    """Return LLVM's name of a machine type, such as 3931."""
    if mcpu := Z_MACHINES.get(machine):
        return Core(mcpu)
    return Core("generic", caveat=f"LLVM has no name for the machine type {machine or 'unknown'}")
