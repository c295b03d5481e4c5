"""A processor as a leaf of a target describes it: for code, or of a machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from registry.domain.compatibility.tables import Features, InstructionSet, Tables
from registry.domain.compatibility.verdicts import Answer, Condition, Dimension, Finding
from registry.domain.toolchains.triples import Triple

KINDS = frozenset({"llvm", "c"})  # of leaves that processors run
HOST_DEPENDENT = frozenset({"native", "host"})  # as mcpu: the machine that compiles
C = "c"
BARE = "none"  # the system of code without one
# The tables of other widths and orders of bytes hold for these.
TABLES_OF = {
    "i386": "x86_64",
    "armeb": "arm",
    "aarch64_be": "aarch64",
    "powerpc64": "powerpc64le",
    "loongarch32": "loongarch64",
    "wasm64": "wasm32",
}
HARD, SOFT = "eabihf", "eabi"
VERSION = re.compile(r"(macosx?|ios|tvos|watchos|visionos|android(?:eabi)?)([0-9]+(?:\.[0-9]+)*)")


@dataclass(frozen=True, slots=True)
class Processor:
    """What a leaf says of a processor; what it does not say is empty."""

    pointer: str
    options: Mapping[str, Any]
    triple: Triple
    instruction_set: InstructionSet | None

    @classmethod
    def from_leaf(cls, pointer: str, leaf: Mapping[str, Any], tables: Tables) -> Processor:
        """Return the processor of a leaf of one of KINDS."""
        triple = Triple.parse(str(leaf.get("mtriple", "")))
        architecture = triple.arch or _architecture(str(leaf.get("mcpu", "")), tables)
        instructions = tables.instruction_set(TABLES_OF.get(architecture, architecture))
        return cls(pointer, leaf, triple, instructions)

    def place(self, option: str) -> str:
        """Return the pointer of an option if it is stated, else that of the leaf."""
        return f"{self.pointer}/{option}" if option in self.options else self.pointer

    @property
    def kind(self) -> str:
        """The kind of the leaf."""
        return str(self.options.get("kind", ""))

    @property
    def mcpu(self) -> str:
        """LLVM's name of the processor; empty if none is stated."""
        return str(self.options.get("mcpu", ""))

    @property
    def mattr(self) -> tuple[str, ...]:
        """The features that are switched on and off."""
        return tuple(map(str, self.options.get("mattr", ())))

    @property
    def is_host_dependent(self) -> bool:
        """Return whether the compiler's own machine would decide."""
        return self.mcpu in HOST_DEPENDENT

    @property
    def system(self) -> str:
        """The operating system; `none` without one, empty if none is stated."""
        is_bare = self.triple.environment == "elf" or self.triple.abi.startswith("eabi")
        return self.triple.os or (BARE if is_bare else "")

    @property
    def system_version(self) -> tuple[str, str]:
        """The name and least version of a system that the triple states; both may be empty."""
        match = VERSION.search(str(self.options.get("mtriple", "")))
        return (match[1], match[2]) if match else ("", "")

    @property
    def convention(self) -> str:
        """The calling convention by LLVM's name, or that of the triple; empty for the usual one."""
        if stated := str(self.options.get("mabi", "")):
            return stated
        if self.triple.abi in (HARD, SOFT):
            hard = self.options.get("mfloat-abi", "hard" if self.triple.abi == HARD else "soft")
            return HARD if hard == "hard" else SOFT
        if self.triple.arch.startswith("riscv") and self.instruction_set:
            return self._riscv_convention()
        return self.triple.abi

    def features(self, *, of_machine: bool = False) -> Features | None:
        """Return the features that are on; None if LLVM's table has no such processor.

        A machine has what its name lacks in LLVM's table, too. Without a name, both have the
        baseline of the architecture.
        """
        instructions = self.instruction_set
        if not instructions:
            return None
        mcpu = self.mcpu or instructions.baseline
        if not instructions.knows(mcpu):
            return None
        return instructions.closure(
            mcpu, self.mattr, self.triple.processor, with_additions=of_machine
        )

    def _riscv_convention(self) -> str:
        """Return the convention that LLVM chooses by the features for floating point."""
        features = self.features() or frozenset()
        integers = "lp64" if self.triple.arch == "riscv64" else "ilp32"
        if "e" in features:
            return f"{integers}e"
        return integers + ("d" if "d" in features else "f" if "f" in features else "")


@dataclass(frozen=True, slots=True)
class Pair:
    """A processor that code is for, and one of a machine."""

    code: Processor
    machine: Processor

    def finding(
        self,
        dimension: Dimension,
        answer: Answer,
        reason: str,
        option: str,
        conditions: tuple[Condition, ...] = (),
    ) -> Finding:
        """Return a finding that points at an option where it is stated, else at the leaf."""
        built_for, has = (side.place(option) for side in (self.code, self.machine))
        return Finding(dimension, answer, reason, built_for, has, conditions)


def _architecture(mcpu: str, tables: Tables) -> str:
    """Return the only architecture that has a processor of this name; empty if there is none."""
    matches = [
        name for name, instructions in tables.instruction_sets.items() if instructions.knows(mcpu)
    ]
    return matches[0] if len(matches) == 1 else ""
