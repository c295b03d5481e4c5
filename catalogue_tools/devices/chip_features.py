"""Features that a chip lacks, or has beyond the names of its cores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from catalogue_tools.arm_dumps import differences, evidence, reasons, urls_of
from catalogue_tools.arm_features import CRYPTOGRAPHY, OPTIONAL_CRYPTOGRAPHY
from catalogue_tools.devices.cores import Core

# Phones with these cores lack dot products or RCpc loads, whatever LLVM's name implies.
FIRST_ARMV8_2 = frozenset({"Cortex-A75", "Kryo 3xx Gold", "Kryo 3xx Silver"})
SVE2 = frozenset({"sve", "sve2", "sve-bitperm"})


@dataclass(frozen=True, slots=True)
class ChipFeatures:
    """Features of a chip that names of cores do not tell.

    `reason` says why they are stated, `urls` decide on those that are not assumed.
    """

    absent: frozenset[str]
    added: frozenset[str]
    reason: str
    urls: tuple[str, ...]


# Decision 135: dumps decide; without one, a chip has the least that chips with its cores have.
def chip_features(tag: str, system: str, cores: Sequence[Core]) -> ChipFeatures:
    """Return the features of a chip, with its cores from small to large."""
    implied = frozenset[str]().union(*(core.implies for core in cores))
    denied, added = differences(tag, implied)
    assumed = (_assumed_absent(system, cores) - evidence(tag).judged) & implied
    return ChipFeatures(
        denied | assumed,
        evidence(tag).added,
        " ".join((*reasons(tag, denied | added), *_assumptions(assumed, cores))),
        urls_of(tag, denied | added),
    )


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


def _assumptions(assumed: Set[str], cores: Sequence[Core]) -> Iterator[str]:
    """Yield a sentence for each reason why a chip is assumed to lack features."""
    if assumed & CRYPTOGRAPHY:
        names = " and ".join(dict.fromkeys(core.name for core in cores))
        yield f"AES and SHA-2 are options of {names}, and no dump of this chip shows them."
    if assumed & SVE2:
        yield "No dump of this chip shows SVE2, and without it there is no bit permutation."
