"""The microarchitectures of archspec 0.2.7 that LLVM 22 has names for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

GENERIC = "generic"  # vendor of levels, and LLVM's processor that they are features of


@dataclass(frozen=True, slots=True)
class Microarchitecture:
    """A microarchitecture by LLVM's names. `vendor` is archspec's word, as in /proc/cpuinfo."""

    architecture: str
    vendor: str
    mcpu: str
    mattr: tuple[str, ...] = ()


def _x86(vendor: str, **renamed: str) -> dict[str, Microarchitecture]:
    return {name: Microarchitecture("x86_64", vendor, mcpu) for name, mcpu in renamed.items()}


def _arm(vendor: str, **renamed: str) -> dict[str, Microarchitecture]:
    return {name: Microarchitecture("aarch64", vendor, mcpu) for name, mcpu in renamed.items()}


def _arm_level(name: str, *mattr: str) -> dict[str, Microarchitecture]:
    return {name: Microarchitecture("aarch64", GENERIC, GENERIC, mattr)}


INTEL = (
    *("nocona", "core2", "nehalem", "westmere", "sandybridge", "ivybridge", "haswell"),
    *("broadwell", "skylake", "cannonlake", "cascadelake", "sapphirerapids", "alderlake"),
    "arrowlake",
)
# zen6 is missing: LLVM 22 has no such processor.
MACHINES: Mapping[str, Microarchitecture] = {
    "x86_64": Microarchitecture("x86_64", GENERIC, "x86-64"),
    **{
        f"x86_64_v{level}": Microarchitecture("x86_64", GENERIC, f"x86-64-v{level}")
        for level in (2, 3, 4)
    },
    **_x86("GenuineIntel", **{name: name for name in INTEL}),
    **_x86(
        "GenuineIntel",
        skylake_avx512="skylake-avx512",
        icelake="icelake-client",
        arrowlake_s="arrowlake-s",
        mic_knl="knl",
    ),
    **_x86(
        "AuthenticAMD",
        k10="amdfam10",
        bulldozer="bdver1",
        piledriver="bdver2",
        steamroller="bdver3",
        excavator="bdver4",
        zen="znver1",
        zen2="znver2",
        zen3="znver3",
        zen4="znver4",
        zen5="znver5",
    ),
    **_arm_level("aarch64"),
    **{
        key: value
        for level in range(1, 7)
        for key, value in _arm_level(f"armv8.{level}a", f"+v8.{level}a").items()
    },
    **_arm_level("armv9.0a", "+v9a"),
    **_arm_level("armv9.2a", "+v9.2a"),
    **_arm("Cavium", thunderx2="thunderx2t99"),
    **_arm("Fujitsu", a64fx="a64fx"),
    **_arm(
        "ARM",
        cortex_a72="cortex-a72",
        neoverse_n1="neoverse-n1",
        neoverse_n2="neoverse-n2",
        neoverse_v1="neoverse-v1",
        neoverse_v2="neoverse-v2",
        neoverse_v3ae="neoverse-v3ae",
    ),
    **_arm("Ampere", ampere1="ampere1", ampere1a="ampere1a"),
    **_arm("Nvidia", olympus="olympus"),
    **_arm("Apple", m1="apple-m1", m2="apple-m2", m3="apple-m3", m4="apple-m4"),
    "ppc64le": Microarchitecture("powerpc64le", GENERIC, "ppc64le"),
    **{
        f"power{number}le": Microarchitecture("powerpc64le", "IBM", f"pwr{number}")
        for number in (8, 9, 10)
    },
    "riscv64": Microarchitecture(
        "riscv64", GENERIC, "generic-rv64", ("+m", "+a", "+f", "+d", "+c")
    ),
    "u74mc": Microarchitecture("riscv64", "SiFive", "sifive-u74"),
    "x60": Microarchitecture("riscv64", "SpacemiT", "spacemit-x60"),
}


def body(name: str) -> dict[str, Any]:
    """Return the body of a microarchitecture that archspec has, under Linux."""
    machine = MACHINES[name]
    features = {"mattr": [*machine.mattr]} if machine.mattr else {}
    triple = f"{machine.architecture}-unknown-linux-gnu"
    return {"kind": "llvm", "mtriple": triple, "mcpu": machine.mcpu, **features}
