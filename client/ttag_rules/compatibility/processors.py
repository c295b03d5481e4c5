"""A processor as a leaf of a target describes it: for code, or of a machine."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ttag_rules.compatibility.tables import NO_FEATURES, Features, InstructionSet, Tables
from ttag_rules.compatibility.verdicts import Answer, Condition, Dimension, Finding
from ttag_rules.triples import Triple

KINDS = frozenset({"llvm", "c"})  # of leaves that processors run
HOST_DEPENDENT = frozenset({"native", "host"})  # as mcpu: the machine that compiles
HOST_TRIPLE = "default"  # as mtriple: that of the compiling machine
MAX_TRIPLE = 256  # characters; longer texts are no triples
BARE = "none"  # the system of code without one
TABLES_OF = {"armeb": "arm", "aarch64_be": "aarch64"}  # the order of bytes changes no features
# Suffixes that compilers of C write after the name of a processor of Arm that lacks something.
SUFFIXES = {
    "nofp": ("-vfp2sp", "-fp16"),
    "nofp.dp": ("-fp64",),
    "nodsp": ("-dsp",),
    "nomve": ("-mve",),
    "nomve.fp": ("-mve.fp",),
}
# Decision 150: processors of Armv7 may lack what compilers assume where no name says more.
OPTIONAL = {"arm": ("neon", "d32")}


@dataclass(frozen=True, slots=True)
class Processor:
    """A processor as a leaf describes it; options that it does not state are empty.

    `architecture` is that of the triple, else the only one that has a processor of this name.
    `mcpu` is LLVM's name of the processor. `mattr` are the features that are switched on and off,
    those of suffixes of the name first.
    """

    pointer: str
    options: Mapping[str, Any]
    triple: Triple
    architecture: str
    mcpu: str
    mattr: tuple[str, ...]
    instruction_set: InstructionSet | None

    @classmethod
    def from_leaf(cls, pointer: str, leaf: Mapping[str, Any], tables: Tables) -> Processor:
        """Return the processor of a leaf of one of KINDS."""
        triple = Triple.parse(str(leaf.get("mtriple", ""))[:MAX_TRIPLE])
        mcpu, *suffixes = str(leaf.get("mcpu", "")).split("+")
        mattr = [feature for name in suffixes for feature in SUFFIXES.get(name, (f"+{name}",))]
        architecture = triple.arch or _architecture(mcpu, tables)
        instructions = tables.instruction_set(TABLES_OF.get(architecture, architecture))
        features = (*mattr, *texts(leaf, "mattr"))
        return cls(pointer, leaf, triple, architecture, mcpu, features, instructions)

    @property
    def triple_text(self) -> str:
        """The triple as it is stated; empty without one."""
        return str(self.options.get("mtriple", ""))[:MAX_TRIPLE]

    def place(self, option: str) -> str:
        """Return the pointer of an option if it is stated, else that of the leaf."""
        return f"{self.pointer}/{option}" if option in self.options else self.pointer

    @property
    def kind(self) -> str:
        """The kind of the leaf."""
        return str(self.options.get("kind", ""))

    @property
    def is_host_dependent(self) -> bool:
        """True if the compiler's own machine would decide."""
        return self.mcpu in HOST_DEPENDENT or self.options.get("mtriple") == HOST_TRIPLE

    @property
    def is_floor(self) -> bool:
        """True if a machine that is described so may have more features than that states."""
        table = self.instruction_set
        return table is None or not table.knows(self.mcpu) or table.is_level(self.mcpu)

    def features(self, *, of_machine: bool = False) -> Features | None:
        """Return the features that are on; None if LLVM's table has no such processor.

        Without a name, code has the baseline of its architecture. A machine has that under any
        name, without what is optional, and what its name lacks in LLVM's table.
        """
        table = self.instruction_set
        if not table or not (of_machine or not self.mcpu or table.knows(self.mcpu)):
            return None
        mcpu = self.mcpu if table.knows(self.mcpu) else table.baseline
        optional = self._optional(table) if of_machine else ()
        mattr = (*(f"-{name}" for name in optional), *self.mattr)
        return table.closure(mcpu, mattr, self.triple.processor, with_additions=of_machine)

    def _optional(self, table: InstructionSet) -> Collection[str]:
        """Return the features that a machine of this name may lack."""
        return OPTIONAL.get(self.triple.arch, ()) if self.is_floor else table.optional_of(self.mcpu)

    @property
    def optional_features(self) -> Features:
        """The features that some chips of the name have and others lack, if no option says more.

        Code for the name does not need them; its machine may have them.
        """
        table = self.instruction_set
        if not table or not table.optional_of(self.mcpu):
            return NO_FEATURES
        with_all, certain = self.features(), self.features(of_machine=True)
        return (with_all or NO_FEATURES) - (certain or NO_FEATURES)


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


def texts(leaf: Mapping[str, Any], option: str) -> tuple[str, ...]:
    """Return an option that is a list of texts; empty if it is anything else."""
    value = leaf.get(option)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _architecture(mcpu: str, tables: Tables) -> str:
    """Return the only architecture that has a processor of this name; empty if there is none."""
    matches = [
        name for name, instructions in tables.instruction_sets.items() if instructions.knows(mcpu)
    ]
    return matches[0] if len(matches) == 1 else ""
