"""Features that clang uses beyond LLVM's baseline where code states no processor, by triple."""

# Decision 156: its driver chooses a processor by the triple: apple-m1 for macOS on Arm.

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ttag_rules.compatibility.options import BACK_ENDS, Compiler
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.systems import system
from ttag_rules.compatibility.tables import Features

FILE = Path(__file__).with_name("driver_defaults.json")
VERSION = 1  # of the form of the file


@dataclass(frozen=True, slots=True)
class Surplus:
    """Features that clang has beyond the baseline, and its calling convention if it is another."""

    features: Features = frozenset()
    mabi: str = ""


NOTHING = Surplus()


def surplus_of(code: Processor, compiler: Compiler | None) -> Surplus:
    """Return what clang uses of code that states no processor, if it may have compiled that."""
    if code.mcpu or compiler in BACK_ENDS:
        return NOTHING
    return _defaults().get(triple_key(code), NOTHING)


def triple_key(processor: Processor) -> str:
    """Return what the driver reads of a triple: `armv7 linux android eabi`."""
    triple = processor.triple
    return " ".join(filter(None, (triple.processor, system(processor), triple.libc, triple.abi)))


@cache
def _defaults() -> Mapping[str, Surplus]:
    document = json.loads(FILE.read_text(encoding="utf-8"))
    features, conventions = document["features"], document["conventions"]
    return {
        key: Surplus(frozenset(features.get(key, ())), conventions.get(key, ""))
        for key in features.keys() | conventions.keys()
    }
