"""Facts about a machine, each parser's part of them, and what remains unknown."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something that no output tells, and how to learn it."""

    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Core:
    """The options of LLVM for a core. `mattr` switches off what this machine lacks.

    `caveat` says why the processor's own name was not used, or what else is doubtful.
    """

    mcpu: str
    mattr: tuple[str, ...] = ()
    mabi: str = ""
    caveat: str = ""


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


def number(text: str) -> int:
    """Return the whole number that a text begins with, or 0. Hexadecimal only after `0x`."""
    digits = text.strip().split("(")[0].split()
    word = digits[0] if digits else ""
    try:
        return int(word, 16) if word.lower().startswith("0x") else int(word)
    except ValueError:
        return 0
