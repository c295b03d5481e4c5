"""The flags of 32-bit and 64-bit Arm, by what clang 22 makes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

VERSION_64 = re.compile(r"armv(8(?:\.[1-9])?|9(?:\.[1-4])?)-a")
# Extensions of 64-bit Arm that LLVM's features are called otherwise.
RENAMED = {
    "fcma": "complxnum",
    "fp": "fp-armv8",
    "fp16": "fullfp16",
    "jscvt": "jsconv",
    "memtag": "mte",
    "pmuv3": "perfmon",
    "profile": "spe",
    "rdma": "rdm",
    "rng": "rand",
    "simd": "neon",
}
SAME = frozenset(
    {
        *("aes", "bf16", "bti", "crc", "cssc", "dit", "dotprod", "f32mm", "f64mm", "flagm"),
        *("fp16fml", "hbc", "i8mm", "ls64", "lse", "mops", "pauth", "predres", "ras", "rcpc"),
        *("rdm", "sb", "sha2", "sha3", "sm4", "sme", "sme2", "sme-f64f64", "sme-i16i64", "ssbs"),
        *("sve", "sve2", "sve2-aes", "sve2-bitperm", "sve2-sha3", "sve2-sm4", "sve2p1", "wfxt"),
    }
)
WITH_HALF_PRECISION = re.compile(r"fp16|f32mm|f64mm|s[vm]e.*")
CRYPTO = ("aes", "sha2", "sha3", "sm4")
WITH_SVE = {"9.4": "+sve2p1"}  # compilers take SVE2 for granted in Armv9; LLVM does not
TOGETHER = ("noaes", "nosha2")  # clang switches both off where they were on as `crypto`
# Of 32-bit Arm, those that need registers for vectors, which an FPU or its absence decides on.
WITH_REGISTERS = frozenset({"bf16", "dotprod", "i8mm", "mve", "mve.fp"})
FEATURES_32 = {
    name: name for name in ("bf16", "crc", "dotprod", "dsp", "i8mm", "mve", "mve.fp", "sb")
}

M_PROFILE: Mapping[str, str] = {
    **dict.fromkeys(("cortex-m0", "cortex-m0plus", "cortex-m1", "sc000"), "thumbv6m"),
    **dict.fromkeys(("cortex-m3", "sc300"), "thumbv7m"),
    **dict.fromkeys(("cortex-m4", "cortex-m7"), "thumbv7em"),
    "cortex-m23": "thumbv8m.base",
    **dict.fromkeys(("cortex-m33", "cortex-m35p", "star-mc1"), "thumbv8m.main"),
    **dict.fromkeys(("cortex-m52", "cortex-m55", "cortex-m85"), "thumbv8.1m.main"),
}
WITHOUT_FPU = frozenset(
    {"cortex-m0", "cortex-m0plus", "cortex-m1", "cortex-m3", "cortex-m23", "sc000", "sc300"}
)
WITH_MVE = frozenset(cpu for cpu, name in M_PROFILE.items() if name == "thumbv8.1m.main")
# Architectures in triples.
ARCHITECTURES: Mapping[str, str] = {
    "armv6": "armv6",
    "armv6-m": "thumbv6m",
    "armv6s-m": "thumbv6m",
    "armv7-a": "armv7a",
    "armv7ve": "armv7ve",
    "armv7-r": "armv7r",
    "armv7-m": "thumbv7m",
    "armv7e-m": "thumbv7em",
    "armv8-m.base": "thumbv8m.base",
    "armv8-m.main": "thumbv8m.main",
    "armv8.1-m.main": "thumbv8.1m.main",
    "armv8-a": "armv8a",
    "armv8-r": "armv8r",
}
DEFAULT_FPUS: Mapping[str, str] = {
    "cortex-m4": "fpv4-sp-d16",
    **dict.fromkeys(("cortex-m33", "cortex-m35p", "star-mc1"), "fpv5-sp-d16"),
    "cortex-m7": "fpv5-d16",
    "cortex-a8": "neon",
    "cortex-a9": "neon-fp16",
    **{f"cortex-a{number}": "neon-vfpv4" for number in (5, 7, 12, 15, 17)},
    **{f"cortex-a{number}": "crypto-neon-fp-armv8" for number in (32, 35, 53, 55, 57, 72, 73)},
    **dict.fromkeys(("cortex-r4f", "cortex-r5"), "vfpv3-d16"),
    **dict.fromkeys(("cortex-r7", "cortex-r8"), "vfpv3-d16-fp16"),
}
# The features of an FPU that it needs others for.
IMPLIED: Mapping[str, Sequence[str]] = {
    "vfp2": ("vfp2sp", "fp64"),
    "vfp3d16sp": ("vfp2sp",),
    "vfp3d16": ("vfp2", "vfp3d16sp"),
    "vfp3sp": ("vfp3d16sp", "d32"),
    "vfp3": ("vfp3d16", "vfp3sp"),
    "vfp4d16sp": ("vfp3d16sp", "fp16"),
    "vfp4d16": ("vfp3d16", "vfp4d16sp"),
    "vfp4sp": ("vfp3sp", "vfp4d16sp"),
    "vfp4": ("vfp3", "vfp4d16", "vfp4sp"),
    "fp-armv8d16sp": ("vfp4d16sp",),
    "fp-armv8d16": ("vfp4d16", "fp-armv8d16sp"),
    "fp-armv8sp": ("vfp4sp", "fp-armv8d16sp"),
    "fp-armv8": ("vfp4", "fp-armv8d16", "fp-armv8sp"),
    "neon": ("vfp3",),
}
FPUS: Mapping[str, str] = {
    "none": "",
    "vfp": "vfp2",
    "vfpv2": "vfp2",
    "vfpv3": "vfp3",
    "vfpv3-fp16": "vfp3 fp16",
    "vfpv3-d16": "vfp3d16",
    "vfpv3-d16-fp16": "vfp3d16 fp16",
    "vfpv3xd": "vfp3d16sp",
    "vfpv3xd-fp16": "vfp3d16sp fp16",
    "vfpv4": "vfp4",
    "vfpv4-d16": "vfp4d16",
    "fpv4-sp-d16": "vfp4d16sp",
    "fpv5-d16": "fp-armv8d16",
    "fpv5-sp-d16": "fp-armv8d16sp",
    "fp-armv8": "fp-armv8",
    "neon": "neon",
    "neon-vfpv3": "neon",
    "neon-fp16": "neon fp16",
    "neon-vfpv4": "neon vfp4",
    "neon-fp-armv8": "neon fp-armv8",
}
FPU_FEATURES = (*IMPLIED, "vfp2sp", "fp64", "d32", "fp16", "fullfp16", "sha2", "aes")


def fpu_features(name: str) -> list[str] | None:
    """Return the features that an FPU switches on and off; None if it is unknown."""
    if name not in FPUS:
        return None
    has = set(_closure(FPUS[name].split()))
    return [f"{'+' if feature in has else '-'}{feature}" for feature in sorted(FPU_FEATURES)]


def _closure(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield name
        yield from _closure(IMPLIED.get(name, ()))


def extension_features(extension: str, table: Mapping[str, str]) -> list[str] | None:
    """Return the features that an extension such as `nofp16` switches; None if it is unknown.

    Compilers do not agree on what is left of SVE2 without one of its parts.
    """
    name = extension.removeprefix("no")
    sign = "-" if name != extension else "+"
    if sign == "-" and name.startswith("sve2-"):
        return None
    if name == "crypto" and sign == "-":
        return [f"-{feature}" for feature in CRYPTO]
    if extension == "nomve" and name in table:
        return ["-mve", "-mve.fp"]
    return [f"{sign}{table[name]}"] if name in table else None


def without_half_of_crypto(extensions: list[str]) -> list[str]:
    """Return the extensions of what has `crypto`, which is switched off as a whole."""
    return [each for name in extensions for each in (TOGETHER if name in TOGETHER else (name,))]


FEATURES_64: Mapping[str, str] = {**{name: name for name in SAME}, **RENAMED}


def architecture_features(name: str) -> list[str] | None:
    """Return the features of an architecture such as `armv8.2-a`; None if it is not of 64 bits."""
    match = VERSION_64.fullmatch(name)
    if not match:
        return None
    version = match[1]
    sve = ["+sve2"] if version.startswith("9") else []
    return [f"+v{version}a", *([WITH_SVE[version]] if version in WITH_SVE else sve)]


def expanded(architecture: str, extensions: list[str]) -> list[str]:
    """Return the extensions of an architecture, those that stand for several written out.

    From Armv8.4 on `crypto` has SHA-3 and SM4, and in Armv8.4 to 8.9 half precision has `fp16fml`.
    """
    is_newer = architecture >= "armv8.4"
    extensions = without_half_of_crypto(extensions) if "crypto" in extensions else extensions
    result: list[str] = []
    for name in extensions:
        result += (CRYPTO if is_newer else CRYPTO[:2]) if name == "crypto" else (name,)
        if is_newer and architecture < "armv9" and WITH_HALF_PRECISION.fullmatch(name):
            result.append("fp16fml")
    return result
