"""Microcontrollers: C for cores of Arm, which their tags inherit, code for those of RISC-V."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from catalogue_tools.hardware import Statement, pages
from catalogue_tools.llvm_targets import llvm_target
from catalogue_tools.microcontrollers.memory import chip_memory
from catalogue_tools.tags import GeneratedTag, ahead_of_time, described_tag
from registry.domain.document import Json

RISCV_TRIPLE = "riscv32-unknown-elf"
# Features that `mcpu` takes away from a core, for chips that have less than LLVM assumes.
# Decision 074: a tag switches off the floating point that its core lacks.
WITHOUT = {
    ("cortex-m4", "none"): "+nofp",
    ("cortex-m7", "single"): "+nofp.dp",
    ("cortex-m33", "none"): "+nofp",
}


@dataclass(frozen=True, slots=True)
class Chip:
    """A microcontroller, or one of its cores.

    `mcpu` is LLVM's name, such as `cortex-m4+nofp`; empty where no compiler has one. `options`
    are those of a RISC-V core. `sources` state the core; `facts` state the rest but memory.
    """

    tag: str
    file: str
    model: str
    mcpu: str
    message: str
    sources: tuple[str, ...]
    facts: Statement
    clock: Statement = field(default_factory=lambda: Statement({}, ()))
    options: Mapping[str, Json] = field(default_factory=dict)
    correction: str = ""


def chip_tags(chip: Chip) -> Iterator[GeneratedTag]:
    """Yield the tag of a chip; for C also its variant that is compiled ahead of time."""
    identity = {"category": "microcontroller", "model": chip.model, **chip.facts.facts}
    memory = chip_memory(chip.tag)
    tag = described_tag(
        chip.tag,
        chip.file,
        _options(chip),
        chip.message,
        Statement(identity, chip.facts.urls),
        chip.clock,
        memory,
        sources=pages(Statement({}, chip.sources), chip.clock, memory),
        correction=chip.correction,
    )
    yield tag
    if not chip.options:
        variant = "-aot" if ":" in chip.tag else ":aot"
        yield ahead_of_time(tag, f"{chip.tag}{variant}", chip.message)


def option_mcpu(core: str, floating_point: str) -> str:
    """Return what tells compilers the core and its floating-point unit, as `cortex-m4+nofp`."""
    return core + WITHOUT.get((core, floating_point), "")


def _options(chip: Chip) -> dict[str, Json]:
    if chip.options:
        return {**llvm_target(RISCV_TRIPLE, chip.mcpu), **chip.options}
    if not chip.mcpu.startswith("cortex-"):
        return {"kind": "c"}
    core = chip.mcpu.partition("+")[0]
    inherited: dict[str, Json] = {"tag": f"arm/{core}@1"}
    return inherited if core == chip.mcpu else inherited | {"mcpu": chip.mcpu}
