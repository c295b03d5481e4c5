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


def _named(
    architecture: str, vendor: str, *names: str, **renamed: str
) -> dict[str, Microarchitecture]:
    """Return those that archspec names as LLVM does, but for hyphens, then those it renames."""
    mcpus = {name.replace("-", "_"): name for name in names} | renamed
    return {name: Microarchitecture(architecture, vendor, mcpu) for name, mcpu in mcpus.items()}


def _arm_level(name: str, *mattr: str) -> dict[str, Microarchitecture]:
    return {name: Microarchitecture("aarch64", GENERIC, GENERIC, mattr)}


INTEL = (
    *("nocona", "core2", "nehalem", "westmere", "sandybridge", "ivybridge", "haswell"),
    *("broadwell", "skylake", "cannonlake", "cascadelake", "sapphirerapids", "alderlake"),
    *("arrowlake", "skylake-avx512"),
)
# zen6 is missing: LLVM 22 has no such processor.
MACHINES: Mapping[str, Microarchitecture] = {
    "x86_64": Microarchitecture("x86_64", GENERIC, "x86-64"),
    **{
        f"x86_64_v{level}": Microarchitecture("x86_64", GENERIC, f"x86-64-v{level}")
        for level in (2, 3, 4)
    },
    **_named(
        "x86_64",
        "GenuineIntel",
        *INTEL,
        icelake="icelake-client",
        arrowlake_s="arrowlake-s",
        mic_knl="knl",
    ),
    **_named(
        "x86_64",
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
    **_named("aarch64", "Cavium", thunderx2="thunderx2t99"),
    **_named("aarch64", "Fujitsu", "a64fx"),
    **_named(
        "aarch64",
        "ARM",
        "cortex-a72",
        "neoverse-n1",
        "neoverse-n2",
        "neoverse-v1",
        "neoverse-v2",
        "neoverse-v3ae",
    ),
    **_named("aarch64", "Ampere", "ampere1", "ampere1a"),
    **_named("aarch64", "Nvidia", "olympus"),
    **_named("aarch64", "Apple", m1="apple-m1", m2="apple-m2", m3="apple-m3", m4="apple-m4"),
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
