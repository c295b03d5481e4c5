"""Bodies of the CPUs of chips."""

from __future__ import annotations

from collections.abc import Iterable

from catalogue_tools.devices.chips import Chip
from catalogue_tools.devices.cores import Core
from registry.domain.document import Json

TRIPLES = {
    ("aarch64", "linux"): "aarch64-unknown-linux-gnu",
    ("aarch64", "android"): "aarch64-linux-android",
    ("aarch64", "windows"): "aarch64-pc-windows-msvc",
    ("armv7a", "linux"): "armv7a-unknown-linux-gnueabihf",
    ("armv6", "linux"): "armv6-unknown-linux-gnueabihf",
    ("riscv64", "linux"): "riscv64-unknown-linux-gnu",
}
ARMV7 = frozenset(f"cortex-a{number}" for number in (5, 7, 8, 9, 12, 15))

Body = dict[str, Json]


def architecture(mcpu: str) -> str:
    """Return the first component of the triple for a processor."""
    if mcpu in ARMV7:
        return "armv7a"
    if mcpu.startswith("arm1176"):
        return "armv6"
    if mcpu.startswith(("sifive-", "spacemit-", "generic-rv64")):
        return "riscv64"
    return "aarch64"


def triple(mcpu: str, system: str) -> str:
    """Return the triple of a processor under a system."""
    return TRIPLES[architecture(mcpu), system]


def cpu_body(chip: Chip) -> Body:
    """Return the whole CPU: the features of the smallest core, and the number of all cores."""
    core, _ = chip.clusters[0]
    family = architecture(core.mcpu)
    key = "riscv_cpu" if family == "riscv64" else "arm_cpu"
    body: Body = {
        "kind": "llvm",
        "keys": [key, "cpu"],
        "device": key,
        "mtriple": triple(core.mcpu, chip.system),
        "mcpu": core.mcpu,
    }
    if features := core_features(chip, core):
        body["mattr"] = [*features]
    if family == "riscv64":
        body |= {"mfloat-abi": "hard", "mabi": "lp64d"}
    return body | {"num-cores": chip.cores}


def core_features(chip: Chip, core: Core) -> list[str]:
    """Return the features that differ from those of the processor's name."""
    return [
        *core.missing_features(chip.features.absent),
        *core.more_features(chip.features.added),
        *core.extensions(chip.isa),
    ]


def cluster_text(clusters: Iterable[tuple[Core, int]]) -> str:
    """Return text such as "4 x Cortex-A76, 4 x Cortex-A55", large cores first."""
    return ", ".join(f"{count} x {core.name}" for core, count in reversed([*clusters]))
