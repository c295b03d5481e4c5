"""Features that a chip lacks, or has beyond the names of its cores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from catalogue_tools.arm_dumps import differences, evidence, reasons, urls_of
from catalogue_tools.arm_features import (
    CRYPTOGRAPHY,
    OPTIONAL_CRYPTOGRAPHY,
    features,
)
from catalogue_tools.devices.cores import Core
from catalogue_tools.facts import Row

# Phones with these cores lack dot products or RCpc loads, whatever LLVM's name implies.
FIRST_ARMV8_2 = frozenset({"Cortex-A75", "Kryo 3xx Gold", "Kryo 3xx Silver"})
SVE2 = frozenset({"sve", "sve2", "sve-bitperm"})  # what goes with it, where a phone lacks it


@dataclass(frozen=True, slots=True)
class ChipFeatures:
    """Features of a chip that names of cores do not tell.

    `reason` says why they are stated, `urls` are the dumps that decide on some of them.
    """

    absent: frozenset[str]
    added: frozenset[str]
    reason: str
    urls: tuple[str, ...]


# Decision 135: dumps decide; without one, a chip has the least that chips with its cores have.
def chip_features(tag: str, system: str, cores: Sequence[Core], row: Row | None) -> ChipFeatures:
    """Return the features of a chip; `row` says which flags of some Linux does not report."""
    implied = frozenset[str]().union(*(core.implies for core in cores))
    denied, added = differences(tag, implied)
    assumed = frozenset() if row else _assumed_absent(system, cores) - evidence(tag).judged
    stated = (_absent_in(row) if row else assumed) & implied
    new = denied - stated
    sentences = (*reasons(new, added), *_reasons(stated, assumed, cores))
    return ChipFeatures(
        denied | stated, evidence(tag).added, " ".join(sentences), urls_of(tag, new | added)
    )


def _absent_in(row: Row) -> frozenset[str]:
    """Return the features of the flags that a table of chips lists as absent."""
    absent = set(row["absent"])
    names = {name for name, feature in features().items() if absent & feature.flags[64]}
    return frozenset(names) | (SVE2 if "sve2" in names else frozenset())


# Decision 073: features that Linux does not report are off.
def _assumed_absent(system: str, cores: Sequence[Core]) -> frozenset[str]:
    """Return the features that a chip without a dump is assumed not to have."""
    assumed: set[str] = set()
    if system == "android":
        assumed |= SVE2
        if any(core.name in FIRST_ARMV8_2 for core in cores):
            assumed |= {"dotprod", "rcpc"}
    if {core.name for core in cores} <= OPTIONAL_CRYPTOGRAPHY:
        assumed |= CRYPTOGRAPHY
    return frozenset(assumed)


def _reasons(stated: Set[str], assumed: Set[str], cores: Sequence[Core]) -> Iterator[str]:
    """Yield a sentence for the features that no recorded dump switches off."""
    if assumed & CRYPTOGRAPHY:
        names = " and ".join(dict.fromkeys(core.name for core in cores))
        yield f"AES and SHA-2 are options of {names}, and no dump of this chip shows them."
    if "sve2" in stated:
        yield "Without SVE2 there is no bit permutation."
