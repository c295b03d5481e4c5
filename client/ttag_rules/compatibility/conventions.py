"""The calling convention of a processor's code, by LLVM's names."""

from __future__ import annotations

from typing import Any

from ttag_rules.compatibility.processors import Processor

HARD, SOFT = "eabihf", "eabi"
USUAL = {
    "aarch64": frozenset({"aapcs", "darwinpcs"}),
    "powerpc64le": frozenset({"elfv2"}),
}
BY_FEATURES = {"riscv32": "ilp32", "riscv64": "lp64", "loongarch64": "lp64"}
SOFT_FLOAT = "soft-float"
STATING = ("mabi", "mfloat-abi")  # the options that name a convention


def convention(processor: Processor) -> str:
    """Return the calling convention; empty for the usual one of the architecture."""
    features = processor.features() or frozenset()
    architecture = processor.triple.arch
    if architecture in ("arm", "armeb"):
        return _arm(processor, is_soft=SOFT_FLOAT in features)
    stated = str(processor.options.get("mabi", ""))
    if architecture in BY_FEATURES:
        return stated or _by_features(BY_FEATURES[architecture], features)
    names = {"" if stated in USUAL.get(architecture, ()) else stated, processor.triple.abi}
    if SOFT_FLOAT in features:
        names.add(SOFT_FLOAT)
    return " ".join(sorted(filter(None, names)))


def convention_options(processor: Processor) -> dict[str, Any]:
    """Return the options with which other code has the calling convention of a processor."""
    if processor.triple.arch in BY_FEATURES:
        return {"mabi": convention(processor)}
    stated = {name: processor.options[name] for name in STATING if name in processor.options}
    is_soft = SOFT_FLOAT in (processor.features() or ())
    return stated | ({"mattr": [f"+{SOFT_FLOAT}"]} if is_soft else {})


def is_stated(processor: Processor) -> bool:
    """Return whether a machine's convention is certain: features that it may have choose some."""
    by_features = processor.triple.arch in BY_FEATURES and processor.is_floor
    return not by_features or "mabi" in processor.options


def _arm(processor: Processor, *, is_soft: bool) -> str:
    """Return whether floating-point values travel in registers, where the triple says either."""
    if processor.triple.abi not in (HARD, SOFT):
        return processor.triple.abi
    default = "hard" if processor.triple.abi == HARD and not is_soft else "soft"
    stated = processor.options.get("mfloat-abi", default)
    return HARD if stated == "hard" else SOFT


def _by_features(integers: str, features: frozenset[str]) -> str:
    """Return the convention that LLVM chooses by the features for floating point."""
    if "e" in features:
        return f"{integers}e"
    return integers + ("d" if "d" in features else "f" if "f" in features else "")
