"""The processor of a machine: what LLVM is told about it, and facts for people."""

from __future__ import annotations

from dataclasses import dataclass

from ttag.probe.facts import Core, Notes

KEYS = {"x86_64": "x86", "aarch64": "arm_cpu", "arm64": "arm_cpu", "riscv64": "riscv_cpu"}


@dataclass(frozen=True, slots=True)
class Processor:
    """The facts about a processor; an unknown number is 0."""

    mtriple: str
    core: Core
    cores: int = 0
    threads: int = 0
    vendor: str = ""
    model: str = ""
    memory_bytes: int = 0
    l2_cache_bytes: int = 0
    l3_cache_bytes: int = 0

    @property
    def key(self) -> str:
        """The dispatch key of TVM for the architecture, if there is one."""
        architecture = self.mtriple.partition("-")[0]
        return "arm_cpu" if architecture.startswith("arm") else KEYS.get(architecture, "")

    def note(self, source: str, notes: Notes) -> None:
        """Note how the core was recognized, and what is doubtful about it."""
        name = f"{self.model}: " if self.model else ""
        notes.learned(source, f"{name}{self.core.mcpu}")
        if off := [feature for feature in self.core.mattr if feature.startswith("-")]:
            lacks = f"implied by {self.core.mcpu}, but this machine does not offer it"
            notes.learned(source, f"{', '.join(off)}: {lacks}")
        if self.core.caveat:
            notes.missing(f"the exact processor: {self.core.caveat}", "compare with its data sheet")
