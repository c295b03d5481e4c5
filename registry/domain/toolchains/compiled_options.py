"""The options of a leaf as compilers should read them: with the triple that LLVM reads.

clang normalizes a triple; TVM and IREE pass on what they get. LLVM then reads the components by
position: of `armv7l-linux-gnueabihf` it sees neither system nor environment, and of
`x86_64-win32` no system, so that they give another ABI and another object format than clang.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from registry.domain.toolchains.triple_normalization import normalize
from registry.domain.toolchains.triples import Triple

TRIPLE, FLOAT_ABI = "mtriple", "mfloat-abi"
ARM = frozenset({"arm", "armeb"})
HARD_FLOAT = "eabihf"  # ends the environments whose calls use floating-point registers


def compiled_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with the triple as LLVM 22 writes it, and the float ABI that it implies.

    A float ABI that is stated stays. Other options, and those without a triple, are unchanged.
    """
    triple = options.get(TRIPLE)
    if not triple:
        return dict(options)
    normal = {**options, TRIPLE: normalize(triple)}
    if FLOAT_ABI not in options and has_hard_float(triple):
        normal[FLOAT_ABI] = "hard"
    return normal


def has_hard_float(triple: str) -> bool:
    """Return whether the environment of a triple passes floats in floating-point registers."""
    parsed = Triple.parse(triple)
    return parsed.arch in ARM and parsed.abi == HARD_FLOAT
