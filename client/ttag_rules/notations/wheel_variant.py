"""A processor as properties of wheel variants (PEP 817 and 825), most wanted first.

The words are those of the providers provider-variant-x86-64 and provider-variant-aarch64, 0.0.1.
NVIDIA has published none: its name on PyPI is a placeholder.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag_rules.compatibility.feature_names import first_names
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.tables import FeatureClass, Features
from ttag_rules.notations.archspec import (
    known_features,
    levels_of,
    names_of,
    processor_of,
)
from ttag_rules.notations.notation import Notation, Unfit
from ttag_rules.pointer import child

ON = "on"
LEVEL = {"x86_64": "level", "aarch64": "version"}
# Values by archspec's names of levels. The provider of AArch64 ends with 9.0a.
VALUES: Mapping[str, str] = {
    "x86_64": "v1",
    **{f"x86_64_v{level}": f"v{level}" for level in (2, 3, 4)},
    "aarch64": "8a",
    **{f"armv8.{level}a": f"8.{level}a" for level in range(1, 7)},
    "armv9.0a": "9.0a",
}
# The features of which providers speak, in the order of their preference, as far as LLVM has them.
FEATURES: Mapping[str, tuple[str, ...]] = {
    "x86_64": (
        *("avx_vnni", "movdir64b", "movdiri", "avx512_bf16", "avx512_bitalg", "avx512_vbmi2"),
        *("avx512_vnni", "avx512_vp2intersect", "avx512_vpopcntdq", "avx512ifma", "avx512vbmi"),
        *("rdpid", "sha_ni", "vaes", "vpclmulqdq", "clwb", "clzero", "avx512bw", "avx512cd"),
        *("avx512dq", "avx512f", "avx512vl", "clflushopt", "gfni", "rdseed", "xsavec", "xsaveopt"),
        *("adx", "avx2", "avx", "bmi2", "bmi1", "abm", "f16c", "fma", "movbe", "xsave", "rdrand"),
        *("aes", "pclmulqdq", "sse4a", "fsgsbase", "sse4_2", "sse4_1", "ssse3", "sse3", "cx16"),
        *("lahf_lm", "popcnt", "sse2", "sse", "mmx"),
    ),
    "aarch64": (
        *("sve2", "sb", "ssbs", "asimdfhm", "bf16", "dit", "flagm", "i8mm", "jscvt", "sha3"),
        *("sha512", "asimddp", "lrcpc", "asimdhp", "fcma", "fphp", "sve", "aes", "asimd"),
        *("crc32", "fp", "pmull", "sha1", "sha2"),
    ),
}
PLATFORM = "the platform tag of a wheel says it"
MAX_LISTED = 3  # features in a reason


def wheel_properties(target: Mapping[str, Any]) -> Notation:
    """Return the properties of the processor of a target, or of its host. Raises `Unfit`."""
    node, processor = processor_of(target)
    architecture = processor.architecture
    if architecture not in FEATURES:
        raise Unfit(f"no provider describes {architecture or 'an unknown architecture'}")
    features = known_features(processor)
    levels = [VALUES[name] for name in levels_of(processor) if name in VALUES]
    if not levels:
        raise Unfit("it lacks a part of the baseline of its architecture")
    names = {name for feature in features for name in names_of(architecture, feature)}
    properties: list[Any] = [
        *(f"{architecture} :: {LEVEL[architecture]} :: {value}" for value in levels),
        *(f"{architecture} :: {name} :: {ON}" for name in FEATURES[architecture] if name in names),
    ]
    unsaid = _unsaid(processor, features)
    options = [each for each in ("mcpu", "mattr") if each in node.value]
    written = {child(node.pointer, each) for each in ("kind", *(() if unsaid else options))}
    reason = f"no property says {first_names(unsaid, MAX_LISTED)}"
    reasons = dict.fromkeys((child(node.pointer, each) for each in options), reason)
    reasons |= {child(node.pointer, each): PLATFORM for each in ("mtriple", "mabi")}
    return Notation({"properties": properties}, (node,), written, reasons)


def _unsaid(processor: Processor, features: Features) -> list[str]:
    """Return the features beyond the baseline that code may use, and no provider speaks of."""
    table, architecture = processor.instruction_set, processor.architecture
    baseline = table.closure(table.baseline) if table else frozenset[str]()
    return sorted(
        feature
        for feature in features - baseline
        if table
        and table.class_of(feature) is not FeatureClass.IGNORED
        and not {*names_of(architecture, feature)} & {*FEATURES[architecture]}
    )
