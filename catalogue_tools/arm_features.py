"""Features of Arm's cores: what LLVM's names imply, and what Linux calls them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from catalogue_tools.facts import Row, cached, read_table

FEATURES = "corrections/arm_features"
IMPLIED = "llvm/arm_features"

CRYPTOGRAPHY = frozenset({"aes", "sha2"})
# Decision 135: of these cores machines without cryptography exist, or they are as old.
OPTIONAL_CRYPTOGRAPHY = frozenset(f"Cortex-A{number}" for number in (32, 34, 35, 53, 55, 57, 72))

NAMES = {  # for people, where LLVM's differ
    "aes": "AES",
    "sha2": "SHA-2",
    "sha3": "SHA-3",
    "sve": "SVE",
    "sve2": "SVE2",
    "fullfp16": "half precision",
}

Release = tuple[int, ...]  # of Linux, as (5, 10)


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature of LLVM, with the flags that a machine reports if it has the feature.

    Kernels before `since` report nothing of it. LLVM switches it off with each of `requires`.
    `added` features are stated where machines have them and a name does not imply them; `harmless`
    says why a name may imply the feature although a machine does not report it.
    """

    name: str
    flags: Mapping[int, frozenset[str]]  # by bits of the kernel
    since: Mapping[int, Release]
    requires: frozenset[str]
    added: bool
    harmless: str


@cached
def features() -> dict[str, Feature]:
    """Return the features that Linux reports, by name, in the order of `mattr`."""
    return {row["feature"]: _feature(row) for row in read_table(FEATURES).rows}


def in_order(names: Collection[str]) -> list[str]:
    """Return features in the order of `mattr`."""
    return [name for name in features() if name in names]


def mattr(off: Collection[str], on: Collection[str] = ()) -> list[str]:
    """Return the option that switches features off, and on, in their order."""
    return [*(f"-{name}" for name in in_order(off)), *(f"+{name}" for name in in_order(on))]


def feature_text(names: Collection[str]) -> str:
    """Return some features for people, as "AES, SHA-2 and lse"."""
    *most, last = [NAMES.get(name, name) for name in in_order(names)]
    return f"{', '.join(most)} and {last}" if most else last


@cached
def implied_by_name(mcpu: str, architecture: str = "aarch64") -> frozenset[str]:
    """Return the features that a name implies, of those that Linux reports; none if unknown."""
    rows = read_table(IMPLIED).rows
    known = {(row["architecture"], row["mcpu"]): row["implies"] for row in rows}
    return frozenset(known.get((architecture, mcpu), ()))


def implied(mcpu: str, mattr: Iterable[str], architecture: str = "aarch64") -> frozenset[str]:
    """Return what a name implies after features were switched on and off, as LLVM does it."""
    on = set(implied_by_name(mcpu, architecture))
    for text in mattr:
        name = text[1:]
        if text.startswith("+"):
            on |= _required(name)
        else:
            on -= {other for other in on if name in _required(other)}
    return frozenset(on)


def release(text: str) -> Release:
    """Return a release of Linux as numbers that can be compared."""
    return tuple(map(int, text.split(".")))


def _required(name: str) -> frozenset[str]:
    """Return a feature with all that it requires."""
    own = features()[name].requires if name in features() else frozenset()
    return frozenset({name}).union(*map(_required, own))


def _feature(row: Row) -> Feature:
    return Feature(
        row["feature"],
        {64: frozenset(row["flags"]), 32: frozenset(row.get("flags_32", ()))},
        {64: release(row.get("kernel", "0")), 32: release(row.get("kernel_32", "0"))},
        frozenset(row.get("requires", ())),
        row.get("added", False),
        row.get("harmless", ""),
    )
