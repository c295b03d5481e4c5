"""The promises of a CPU's options about the machine code for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ttag.texts.triples import architecture, with_float_abi
from ttag.tvm.artefacts.objects import COFF, ELF, MACH_O, WASM
from ttag_rules.compiled_options import ARM, FLOAT_ABI, TRIPLE

GENERIC = "generic"  # the CPU that TVM takes if none is stated
# Beginnings of systems with a format of their own, wherever in a triple they are.
SYSTEMS: Mapping[str, tuple[str, ...]] = {
    COFF: ("windows", "win32", "mingw", "cygwin", "msys", "uefi"),
    MACH_O: ("darwin", "macos", "ios", "tvos", "watchos", "visionos", "xros", "driverkit"),
}
# A format that the last component states, as in x86_64-pc-windows-elf.
ENDINGS = {"elf": ELF, "coff": COFF, "macho": MACH_O}
# The registers for floating-point arguments, by the name of an ABI.
RISCV_ABIS = {"e": "soft", "d": "double", "f": "single", "q": "quad", "4": "soft", "2": "soft"}
RISCV_PREFIXES = ("ilp32", "lp64")


@dataclass(frozen=True, slots=True)
class Expectation:
    """The facts that code for a CPU must state; empty, or 0, where its options promise nothing."""

    triple: str
    format: str
    architecture: str
    float_abi: str
    cpu: str
    features: str
    max_vector_width: int


def expect(options: Mapping[str, Any]) -> Expectation:
    """Return what the options of a leaf of kind llvm promise."""
    triple = str(options.get(TRIPLE, ""))
    return Expectation(
        triple,
        object_format(triple) if triple else "",
        architecture(triple) if triple else "",
        _float_abi(options, triple),
        str(options.get("mcpu", GENERIC)),
        ",".join(options.get("mattr", ())),
        int(options.get("vector-width", 0)),
    )


def object_format(triple: str) -> str:
    """Return the format of the object files for a triple, however its components are ordered."""
    names = triple.split("-")
    if names[0].startswith("wasm"):
        return WASM
    for ending, stated in ENDINGS.items():
        if names[-1].endswith(ending):
            return stated
    for own, beginnings in SYSTEMS.items():
        if any(name.startswith(beginnings) for name in names[1:]):
            return own
    return ELF


def _float_abi(options: Mapping[str, Any], triple: str) -> str:
    """Return how floats are passed, as objects state it; empty if LLVM decides by features."""
    name = architecture(triple) if triple else ""
    if name in ARM and object_format(triple) == ELF:
        return str(with_float_abi(options).get(FLOAT_ABI, ""))
    abi = str(options.get("mabi", ""))
    if name.startswith("riscv") and abi.startswith(RISCV_PREFIXES):
        return RISCV_ABIS.get(abi[-1], "")
    return ""
