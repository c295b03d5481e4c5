"""The options of a leaf as compilers should read them: with the triple that LLVM reads.

clang normalizes a triple; TVM and IREE pass on what they get. LLVM then reads the components by
position: of `armv7l-linux-gnueabihf` it sees neither system nor environment, and of
`x86_64-win32` no system, so that they give another ABI and another object format than clang.
The float ABI is stated, too, because IREE takes `hard` for every triple.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag_rules.triple_normalization import normalize
from ttag_rules.triples import Triple

TRIPLE, FLOAT_ABI = "mtriple", "mfloat-abi"
HARD, SOFT = "hard", "soft"
ARM = frozenset({"arm", "armeb"})
HARD_FLOAT = "eabihf"  # ends the environments whose calls use floating-point registers
WINDOWS = "windows"  # always calls with floating-point registers
# Their ABI depends on the version of the architecture, too.
APPLE = frozenset({"bridgeos", "darwin", "driverkit", "ios", "macos", "tvos", "watchos"})


def compiled_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with the triple as LLVM 22 writes it, and the float ABI that it implies.

    A float ABI that is stated stays. Other options, and those without a triple, are unchanged.
    """
    triple = options.get(TRIPLE)
    if not triple:
        return dict(options)
    normal = normalize(triple)
    implied = implied_float_abi(normal)
    return {**({FLOAT_ABI: implied} if implied else {}), **options, TRIPLE: normal}


def implied_float_abi(triple: str) -> str:
    """Return the float ABI of a triple for 32-bit Arm, as LLVM and clang choose it; else empty.

    With `soft`, calls pass floats in other registers; code may still compute with instructions for
    floats.
    """
    parsed = Triple.parse(triple)
    if parsed.arch not in ARM or parsed.os in APPLE:
        return ""
    return HARD if parsed.abi == HARD_FLOAT or parsed.os == WINDOWS else SOFT
