"""Words for a machine: its name, and what its hardware facts say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.descriptions.architecture_names import (
    compute_capability,
    processor_name,
    text_option,
)

Facts = Mapping[str, Any]

SCALES = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))
MICROCONTROLLERS = frozenset({"microcontroller", "microcontroller-board"})
CLUSTER = re.compile(r"[0-9]+ x ([^,]+)")  # the only one of a CPU


@dataclass(frozen=True, slots=True)
class FamilyText:
    """The parts of a family's text: "EC2 G6: AMD EPYC 7R13" or "EC2 G6 with NVIDIA L4"."""

    title: str
    processor: str = ""
    accelerator: str = ""

    @classmethod
    def of(cls, facts: Facts) -> FamilyText:
        """Return the parts of the family that facts state."""
        text = text_option(facts, "family")
        title, _, processor = text.partition(": ")
        title, _, accelerator = title.partition(" with ")
        return cls(title, processor, accelerator)


def machine_name(facts: Facts) -> str:
    """Return vendor and model, or the family's title; words that both have stand once."""
    vendor = text_option(facts, "vendor").split()
    model = (text_option(facts, "model") or FamilyText.of(facts).title).split()
    for shared in range(min(len(vendor), len(model)), 0, -1):
        if _folded(vendor[-shared:]) == _folded(model[:shared]):
            return " ".join((*vendor[: len(vendor) - shared], *model))
    if vendor and model and model[0].split("-")[0].casefold() in _spellings(vendor):
        return " ".join(model)
    return " ".join((*vendor, *model))


def _spellings(vendor: Sequence[str]) -> set[str]:
    """Return a vendor as its models spell it: SeeedStudio, and BeagleBoard of BeagleBoard.org."""
    name = "".join(vendor).casefold()
    return {name, name.partition(".")[0]}


def _folded(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words]


def machine_details(root: Mapping[str, Any], facts: Facts) -> str:
    """Return the launch year, the family and the parts of a machine, as far as they are known."""
    year = f" of {date[:4]}" if (date := text_option(facts, "launched")) else ""
    family = FamilyText.of(facts)
    parts = [*_parts(facts, family)]
    if capability := compute_capability(root):
        parts.append(f"compute capability {capability}")
    title = _without_parentheses(family.title)
    stated = (text_option(facts, name) for name in ("clusters", "model"))
    is_new = title not in ("", *stated)
    named = f" ({title})" if is_new and text_option(facts, "model") else ""
    return f"{year}{named}{f' with {join(parts)}' if parts else ''}"


def family_details(root: Mapping[str, Any], facts: Facts) -> str:
    """Return the processor, the accelerator or the architecture that a family shares."""
    family = FamilyText.of(facts)
    processors = f"{family.processor} processors" if family.processor else ""
    parts = [processors or family.accelerator]
    if (capability := compute_capability(root)) and not family.accelerator:
        parts.append(f"compute capability {capability}")
    if text_option(root, "kind") == "rocm" and not family.accelerator:
        parts.append(f"the architecture {processor_name(root)}")
    named = [part for part in parts if part]
    return f" with {join(named)}" if named else ""


def _parts(facts: Facts, family: FamilyText) -> Iterator[str]:
    numbers = {name: value for name, value in facts.items() if isinstance(value, int)}
    if cores := numbers.get("cores"):
        yield _cores(cores, text_option(facts, "clusters"), family.processor)
    if units := numbers.get("compute_units"):
        yield count(units, "compute unit")
    is_microcontroller = text_option(facts, "category") in MICROCONTROLLERS
    if memory := _sizes(facts, "memory"):
        yield f"{memory} {'of RAM' if is_microcontroller else 'of memory'}"
    if flash := _sizes(facts, "flash"):
        yield f"{flash} of flash"
    for name in ("gpu", "npu"):
        if part := text_option(facts, name):
            yield _named_part(name.upper(), part)
    if accelerators := numbers.get("accelerators"):
        name = family.accelerator
        yield f"{accelerators} x {name}" if name else count(accelerators, "accelerator")


def _named_part(kind: str, text: str) -> str:
    """Return a part with its kind, which its name may hold: "the Rockchip NPU (6 TOPS)"."""
    name, _, figure = text.partition(", ")
    named = name if kind in name.split() else f"{kind} {name}"
    return f"the {named}{f' ({figure})' if figure else ''}"


def _cores(number: int, clusters: str, processor: str) -> str:
    """Return the number of cores: "4 Cortex-A53 cores", "8 cores (4 x ..., 4 x ...)"."""
    if only := CLUSTER.fullmatch(clusters):
        return count(number, f"{only[1]} core")
    text = count(number, "core")
    if clusters:
        return f"{text} ({clusters})"
    return f"{text} of {processor}" if processor else text


def _sizes(facts: Facts, memory: str) -> str:
    """Return the size of a memory, or those in which the machine is sold: "4, 8 or 16 GiB"."""
    options = facts.get(f"{memory}_options_bytes") or [facts.get(f"{memory}_bytes")]
    texts = [byte_text(size) for size in options if isinstance(size, int)]
    units = {text.rpartition(" ")[2] for text in texts}
    if len(units) == 1:
        texts = [text.rpartition(" ")[0] for text in texts[:-1]] + texts[-1:]
    return join(texts, "or")


def _without_parentheses(text: str) -> str:
    """Return text that stands in parentheses itself: "Ice Lake, server"."""
    return text.replace(" (", ", ").replace(")", "")


def join(names: Sequence[str], word: str = "and") -> str:
    """Join names as a sentence does: `a, b and c`."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def byte_text(number: float) -> str:
    """Return a size in the largest binary unit that it has one of: "24 GiB"."""
    for size, unit in SCALES:
        if number >= size:
            return f"{number / size:,.4g} {unit}"
    return f"{number} bytes"
