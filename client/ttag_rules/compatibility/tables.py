"""Features of LLVM's processors, and those that they imply: read from tables.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("tables.json")
VERSION = 1  # of the form of the file

MAX_CLOSURES = 4096  # that are kept; the catalogue has a few hundred

Features = frozenset[str]
NO_FEATURES: Features = frozenset()


class FeatureClass(StrEnum):
    """The ways in which code comes to use a feature."""

    EMITTED = "emitted"  # a compiler uses it unasked
    GUARDED = "guarded"  # only intrinsics, or source under macros, use it
    IGNORED = "ignored"  # programs do not use it, or it is no operation where it is missing


class UnknownVersion(ValueError):
    """A file of tables in a form that this release does not read."""

    def __init__(self, version: object) -> None:
        super().__init__(f"The tables have version {version}, expected {VERSION}.")


@dataclass(frozen=True, slots=True)
class InstructionSet:
    """The processors and features of one architecture, by LLVM's names.

    `levels` are processors that stand for all that have at least their features. `restrictions`
    take something away: code has to heed those of its machine. Of `profiles`, a machine has one.
    `spellings` are what names of the architecture in a triple switch on, such as `armv7a`.
    `additions` are what all products of a name have, and LLVM's table lacks; of what it has, some
    products lack what is `optional`. A machine with all `parts` of a feature has the feature.
    `beside` is what clang switches on with a feature, beyond what that implies for LLVM; it does
    without those of `yielding` where a list denies them.
    """

    baseline: str
    levels: Features
    processors: Mapping[str, Features]
    spellings: Mapping[str, Features]
    additions: Mapping[str, Features]
    optional: Mapping[str, Features]
    parts: Mapping[str, Features]
    implied: Mapping[str, Features]
    beside: Mapping[str, Features]
    yielding: Features
    guarded: Features
    ignored: Features
    restrictions: Features
    profiles: Features
    closures: dict[Any, Features] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> InstructionSet:
        """Return the instruction set that a table of the file describes."""
        sets: dict[str, Any] = {name: frozenset(table[name]) for name in SETS}
        for name in MAPPINGS:
            sets[name] = {key: frozenset(features) for key, features in table[name].items()}
        return cls(baseline=table["baseline"], **sets)

    @property
    def modes(self) -> Features:
        """The profiles and restrictions: code has to agree in them with its machine."""
        return self.profiles | self.restrictions

    def knows(self, mcpu: str) -> bool:
        """Return whether LLVM has a processor of this name."""
        return mcpu in self.processors

    def is_level(self, mcpu: str) -> bool:
        """Return whether a machine of this name has at least these features, perhaps more."""
        return mcpu in self.levels

    def optional_of(self, mcpu: str) -> Features:
        """Return the features of a processor's name that some of its chips lack."""
        return self.optional.get(mcpu, NO_FEATURES)

    def closure(
        self,
        mcpu: str,
        mattr: Iterable[str] = (),
        spelling: str = "",
        *,
        with_additions: bool = False,
    ) -> Features:
        """Return all features that are on, as LLVM and clang switch them in their order.

        The spelling of the architecture in a triple counts where `mcpu` names no processor.
        """
        key = (mcpu, tuple(mattr), spelling, with_additions)
        if key not in self.closures:
            if len(self.closures) >= MAX_CLOSURES:
                self.closures.clear()
            self.closures[key] = self._closure(*key)
        return self.closures[key]

    def _closure(
        self, mcpu: str, mattr: Sequence[str], spelling: str, with_additions: bool
    ) -> Features:
        generic = mcpu == self.baseline and spelling in self.spellings
        features = set(self.spellings[spelling] if generic else self.processors[mcpu])
        if with_additions:
            features |= self.additions.get(mcpu, frozenset())
        denied = self.yielding & {text[1:] for text in mattr if text.startswith("-")}
        for text in mattr:
            sign, name = text[:1], text[1:]
            if sign == "+":
                features |= self.switched_on(name, denied)
            else:
                features -= self.implying(name)
        if with_additions:
            features |= {name for name, parts in self.parts.items() if parts <= features}
        return frozenset(features)

    def switched_on(self, name: str, denied: Features = frozenset()) -> Features:
        """Return the features that are on when one is: itself, and what comes with it.

        Clang leaves out what is denied; LLVM does not.
        """
        beside = self.beside.get(name, frozenset()) - denied
        return self.implied.get(name, frozenset({name})) | beside

    def implying(self, name: str) -> Features:
        """Return the features that are off when one is: itself and all that imply it."""
        return frozenset(each for each, all_ in self.implied.items() if name in all_) | {name}

    def switched_off(self, mattr: Iterable[str]) -> Features:
        """Return the features that a list denies, unless it switches them on again later."""
        off: set[str] = set()
        for text in mattr:
            sign, name = text[:1], text[1:]
            if sign == "-":
                off |= self.implying(name)
            else:
                off -= self.implied.get(name, {name})
        return frozenset(off)

    def knows_feature(self, name: str) -> bool:
        """Return whether LLVM has a feature of this name, if only for tuning."""
        return name in self.implied or name in self.ignored

    def class_of(self, feature: str) -> FeatureClass:
        """Return how code comes to use a feature."""
        if feature in self.guarded:
            return FeatureClass.GUARDED
        return FeatureClass.IGNORED if feature in self.ignored else FeatureClass.EMITTED


SETS = ("levels", "guarded", "ignored", "restrictions", "profiles", "yielding")
MAPPINGS = ("processors", "spellings", "additions", "optional", "parts", "implied", "beside")


@dataclass(frozen=True, slots=True)
class Tables:
    """The instruction sets by architecture, as triples name them."""

    instruction_sets: Mapping[str, InstructionSet]

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Tables:
        """Return the tables of a file. Raises `UnknownVersion` for another form of it."""
        if document.get("version") != VERSION:
            raise UnknownVersion(document.get("version"))
        return cls(
            {
                name: InstructionSet.from_json(table)
                for name, table in document["instruction_sets"].items()
            }
        )

    def instruction_set(self, architecture: str) -> InstructionSet | None:
        """Return the instruction set of an architecture; None if there is no table of it."""
        return self.instruction_sets.get(architecture)


@cache
def shipped_tables() -> Tables:
    """Return the tables of this release."""
    return Tables.from_json(json.loads(FILE.read_text(encoding="utf-8")))
