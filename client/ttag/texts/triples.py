"""Triples in texts: architecture and system as CMake names them, and equal spellings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag_rules.compiled_options import FLOAT_ABI, TRIPLE, implied_float_abi
from ttag_rules.grammars import TABLES
from ttag_rules.triple_normalization import normalize
from ttag_rules.triples import Triple

CMAKE = TABLES["cmake"]
KNOWN = frozenset(TABLES["clang"]["architectures"])
GENERIC = "Generic"  # CMake's name for no system


def architecture(triple: str) -> str:
    """Return LLVM's name for the architecture of a triple."""
    return Triple.parse(triple).arch


def processor(triple: str) -> str:
    """Return the architecture as a triple spells it: the first component that is one."""
    names = triple.split("-")
    return next((name for name in names if architecture(name) in KNOWN), names[0])


def system(triple: str) -> str:
    """Return the name of a triple's system as CMake's table has it; empty if it names none."""
    prefixes = {name: name for name in CMAKE["systems"] if name not in {"", "none"}}
    prefixes |= CMAKE["prefixes"]
    for component in triple.split("-"):
        for prefix, name in prefixes.items():
            if component.startswith(prefix):
                return str(name)
    return ""


def environment(triple: str) -> str:
    """Return the last component of a triple."""
    return triple.rpartition("-")[2]


def is_same_triple(text: str, stated: str) -> bool:
    """Return whether a triple is the stated one, or LLVM's normal form of it."""
    return text in (stated, normalize(stated))


def with_float_abi(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with the float ABI that their triple implies for 32-bit Arm."""
    implied = implied_float_abi(normalize(str(options.get(TRIPLE, ""))))
    return {**({FLOAT_ABI: implied} if implied else {}), **options}
