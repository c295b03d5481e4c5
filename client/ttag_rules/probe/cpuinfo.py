"""`/proc/cpuinfo`: one block for each logical processor, and lines for the whole machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MAX_BLOCKS = 4096  # processors; Linux supports no more
S390_PROCESSOR = "processor "  # s390x writes "processor 0: version = FF, ... machine = 3931"


@dataclass(frozen=True, slots=True)
class Cpuinfo:
    """The blocks of logical processors with their keys in lower case, and all other lines."""

    processors: tuple[Mapping[str, str], ...] = ()
    common: Mapping[str, str] | None = None

    def get(self, key: str) -> str:
        """Return a value of the first processor or of the machine, or an empty text."""
        first = self.processors[0] if self.processors else {}
        return first.get(key) or (self.common or {}).get(key, "")

    @property
    def flags(self) -> frozenset[str]:
        """The features that all processors have: x86 calls them flags."""
        sets = [
            frozenset((block.get("flags") or block.get("features") or "").split())
            for block in self.processors
        ]
        return frozenset.intersection(*sets) if sets else frozenset()

    @property
    def cores(self) -> int:
        """The number of physical cores, as far as the blocks tell; 0 if there are none."""
        packages: dict[str, int] = {}
        for block in self.processors:
            stated = block.get("cpu cores", "")
            if not stated.isdecimal():
                return len(self.processors)
            package = block.get("physical id", "0")
            packages[package] = max(packages.get(package, 0), int(stated))
        return sum(packages.values())

    @property
    def threads(self) -> int:
        """The number of logical processors, as far as the blocks tell; 0 if there are none."""
        stated = [block.get("siblings", "") for block in self.processors]
        if all(text.isdecimal() for text in stated) and len(self.processors) == 1:
            return int(stated[0])
        return len(self.processors)


def parse(text: str) -> Cpuinfo:
    """Return the blocks of `/proc/cpuinfo`. A block begins with its number."""
    processors: list[dict[str, str]] = []
    common: dict[str, str] = {}
    block = common
    for line in text.splitlines():
        key, separator, value = line.partition(":")
        key = key.strip().lower()
        if not key:
            block = common
        elif separator:
            if _begins_processor(key, value) and len(processors) < MAX_BLOCKS:
                block = {}
                processors.append(block)
            is_s390 = key.startswith(S390_PROCESSOR)
            block.setdefault("processor" if is_s390 else key, value.strip())
            if is_s390:
                block |= _assignments(value)
    if not processors and "cpu part" in common:
        processors = [common]  # kernels for one processor wrote no number
    return Cpuinfo(tuple(processors), common)


def _begins_processor(key: str, value: str) -> bool:
    """Return whether a line numbers a processor. Old Arm kernels name the model so, once."""
    if key == "processor":
        return value.strip().isdecimal()
    return key.startswith(S390_PROCESSOR) and key[len(S390_PROCESSOR) :].isdecimal()


def _assignments(text: str) -> dict[str, str]:
    """Return what s390x writes on one line: "version = FF,  machine = 3931"."""
    pairs = (part.partition("=") for part in text.split(","))
    return {name.strip(): value.strip() for name, _, value in pairs}
