"""Facts about a machine, each parser's part of them, and what remains unknown or is missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

# Dispatch keys of TVM by the architecture of a triple.
KEYS = {"x86_64": "x86", "aarch64": "arm_cpu", "arm64": "arm_cpu", "riscv64": "riscv_cpu"}


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something that no output tells, and how to learn it."""

    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Core:
    """The options of LLVM for a core.

    `mattr` switches on what this machine has beyond `mcpu`, and off what it lacks. `left_out` are
    features that it has, but compilers use only where a program asks for them. `caveat` says why
    the processor's own name was not used, or what else is doubtful.
    """

    mcpu: str
    mattr: tuple[str, ...] = ()
    mabi: str = ""
    caveat: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Device:
    """A GPU: its kind and options, and facts for people. `count` are alike."""

    kind: str
    options: dict[str, object]
    vendor: str = ""
    model: str = ""
    compute_units: int = 0
    memory_bytes: int = 0
    l2_cache_bytes: int = 0
    count: int = 1


@dataclass
class Notes:
    """The facts learned from each output, and the unknown ones."""

    sources: dict[str, list[str]] = field(default_factory=dict)
    unknown: list[Unknown] = field(default_factory=list)

    def learned(self, source: str, fact: str) -> None:
        """Note a fact and the output it comes from."""
        self.sources.setdefault(source, []).append(fact)

    def missing(self, what: str, remedy: str) -> None:
        """Note something that could not be learned, once."""
        unknown = Unknown(what, remedy)
        if unknown not in self.unknown:
            self.unknown.append(unknown)


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
        if on := [feature for feature in self.core.mattr if feature.startswith("+")]:
            notes.learned(source, f"{', '.join(on)}: not implied by {self.core.mcpu}")
        if self.core.left_out:
            names = ", ".join(self.core.left_out)
            notes.learned(source, f"left out of mattr, as only programs ask for it: {names}")
        if self.core.caveat:
            notes.missing(f"the exact processor: {self.core.caveat}", "compare with its data sheet")


def implied(mcpu: str, table: Mapping[str, str]) -> tuple[str, ...]:
    """Return the features that a processor implies.

    A row of the table is another processor, or `-`, and what is added to it. An unknown processor
    implies nothing.
    """
    words = table.get(mcpu, "-").split()
    base = () if words[0] == "-" else implied(words[0], table)
    return (*base, *words[1:])


def lacking(
    mcpu: str, table: Mapping[str, str], flags: Collection[str], names: Mapping[str, str]
) -> tuple[str, ...]:
    """Return what switches off the implied features that the flags do not show.

    `names` maps features to flags where Linux calls them otherwise.
    """
    return tuple(
        f"-{feature}"
        for feature in implied(mcpu, table)
        if names.get(feature, feature) not in flags
    )


def beyond(
    mcpu: str, table: Mapping[str, str], flags: Collection[str], names: Mapping[str, str]
) -> tuple[str, ...]:
    """Return what switches on the features that the flags show and a processor does not imply.

    Only features that some processor of the table implies are compared.
    """
    known = dict.fromkeys(feature for name in table for feature in implied(name, table))
    has = implied(mcpu, table)
    return tuple(
        f"+{feature}"
        for feature in known
        if feature not in has and names.get(feature, feature) in flags
    )


def number(text: str) -> int:
    """Return the whole number that a text begins with, or 0. Hexadecimal only after `0x`."""
    digits = text.strip().split("(")[0].split()
    word = digits[0] if digits else ""
    try:
        return int(word, 16) if word.lower().startswith("0x") else int(word)
    except ValueError:
        return 0
