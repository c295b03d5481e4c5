"""Triples, as far as the client reads them: architecture, system, and equal spellings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ttag.texts.tables import TABLES

TRIPLES, CMAKE = TABLES["triples"], TABLES["cmake"]
PATTERNS = [(re.compile(pattern), name) for pattern, name in TRIPLES["architecture_patterns"]]
KNOWN = frozenset(TABLES["clang"]["architectures"])
FLOAT_ABIS = TRIPLES["float_abi"]
ARM = frozenset(FLOAT_ABIS["architectures"])
GENERIC = "Generic"  # CMake's name for no system
TRIPLE, FLOAT_ABI, HARD, SOFT = "mtriple", "mfloat-abi", "hard", "soft"


def architecture(triple: str) -> str:
    """Return LLVM's name for the architecture of a triple."""
    return _llvm_name(processor(triple))


def processor(triple: str) -> str:
    """Return the architecture as a triple spells it: the first component that is one."""
    names = triple.split("-")
    return next((name for name in names if _llvm_name(name) in KNOWN), names[0])


def _llvm_name(name: str) -> str:
    for pattern, known in PATTERNS:
        if pattern.fullmatch(name):
            return str(known)
    return str(TRIPLES["architectures"].get(name, name))


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
    """Return whether a triple is the stated one, or can be LLVM's normal form of it.

    That moves components, fills gaps, and renames a few.
    """
    if text == stated:
        return True
    first = text.partition("-")[0]
    if architecture(stated) in KNOWN and _llvm_name(first) != architecture(stated):
        return False
    return _components(text) == _components(stated)


def with_float_abi(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with the float ABI that their triple implies for 32-bit Arm."""
    triple = str(options.get(TRIPLE, ""))
    if FLOAT_ABI in options or architecture(triple) not in ARM or _has(triple, "unknown"):
        return dict(options)
    return {**options, FLOAT_ABI: HARD if _has(triple, "hard") else SOFT}


def _has(triple: str, pattern: str) -> bool:
    return any(re.fullmatch(FLOAT_ABIS[pattern], name) for name in _components(triple))


def _components(triple: str) -> Counter[str]:
    """Return the components of a triple, less those that stand for a gap or follow from others."""
    names = [_renamed(name) for name in triple.split("-") if name not in TRIPLES["fillers"]]
    if "suse" in names:
        old, new = TRIPLES["suse"]
        names = [new if name == old else name for name in names]
    if "windows" in names:
        names = [name for name in names if name not in TRIPLES["windows_environments"]]
    return Counter(names)


def _renamed(name: str) -> str:
    for prefix, new in TRIPLES["renamed"].items():
        if name.startswith(prefix):
            return str(new + (name[len(prefix) :] if prefix.startswith(new) else ""))
    return name
