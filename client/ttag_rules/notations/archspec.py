"""A processor as a microarchitecture of archspec, in the JSON that it reads.

Its parents are those of archspec's own that run there, by the verdicts of compatibility: what is
built for one of them, as by Spack, runs on it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from ttag_rules.compatibility.processors import KINDS, Processor, texts
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import Features, shipped_tables
from ttag_rules.compatibility.verdicts import Answer
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import HOST, Node, nodes
from ttag_rules.notations.archspec_names import GENERIC, MACHINES, body
from ttag_rules.notations.notation import Notation, Unfit
from ttag_rules.pointer import child
from ttag_rules.probe import arm, x86

ENTRIES = "microarchitectures"
ARCHITECTURES = frozenset(machine.architecture for machine in MACHINES.values())
# The features that archspec's own entries have, by the names of Linux: it looks for each of them in
# /proc/cpuinfo, and would not find what Linux does not show.
X86_FLAGS = frozenset(
    {
        *("abm", "adx", "aes", "amx_bf16", "amx_int8", "amx_tile", "avx", "avx2"),
        *("avx512_bf16", "avx512_bitalg", "avx512_fp16", "avx512_vbmi2", "avx512_vnni"),
        *("avx512_vp2intersect", "avx512_vpopcntdq", "avx512bw", "avx512cd", "avx512dq"),
        *("avx512f", "avx512ifma", "avx512vbmi", "avx512vl", "avx_vnni", "bmi1", "bmi2"),
        *("cx16", "f16c", "fma", "fma4", "gfni", "lahf_lm", "mmx", "movbe", "movdir64b"),
        *("movdiri", "pclmulqdq", "popcnt", "rdrand", "rdseed", "serialize", "sha_ni", "sse"),
        *("sse2", "sse4_1", "sse4_2", "sse4a", "ssse3", "tbm", "vaes", "vpclmulqdq", "waitpkg"),
        *("xop", "xsave"),
    }
)
ARM_FLAGS = frozenset(
    {
        *("aes", "asimd", "asimddp", "asimdfhm", "asimdhp", "asimdrdm", "atomics", "bf16"),
        *("crc32", "fcma", "fp", "fphp", "i8mm", "jscvt", "lrcpc", "pmull", "sha1", "sha2"),
        *("sha3", "sha512", "sm3", "sm4", "sve", "sve2"),
    }
)
X86_NAMES = {**x86.FLAGS, "sse3": "sse3", "rdrnd": "rdrand", "sahf": "lahf_lm"}
ARM_NAMES = {
    **{name: (flag,) for name, flag in arm.FLAGS.items()},
    "aes": ("aes", "pmull"),
    "complxnum": ("fcma",),
    "fp-armv8": ("fp",),
    "fullfp16": ("asimdhp", "fphp"),
    "jsconv": ("jscvt",),
    "neon": ("asimd",),
    "rcpc": ("lrcpc",),
    "sha2": ("sha1", "sha2"),
    "sha3": ("sha3", "sha512"),
    "sm4": ("sm3", "sm4"),
}
# archspec's words for implementers of Arm's cores; the last that has a core counts: its designer.
ARM_VENDORS = {
    0xC0: "Ampere",
    0x61: "Apple",
    0x53: "Samsung",
    0x51: "Qualcomm",
    0x4E: "Nvidia",
    0x48: "HiSilicon",
    0x46: "Fujitsu",
    0x43: "Cavium",
    0x41: "ARM",
}
FLAGS = {"x86_64": X86_FLAGS, "aarch64": ARM_FLAGS}
MAX_PROCESSORS = 1024  # whose answers are kept; the catalogue has some hundred
CLANG = "22:"  # releases with the names and features of these tables
NO_WORD = "a microarchitecture is that of a processor alone"


def archspec_entry(target: Mapping[str, Any], reference: str) -> Notation:
    """Return the entry for the processor of a target, or of its host. Raises `Unfit`."""
    node, processor = processor_of(target)
    if processor.architecture not in ARCHITECTURES:
        name = processor.architecture or "a processor of an unknown architecture"
        raise Unfit(f"archspec has no microarchitectures of {name}")
    features = known_features(processor)
    parents = _parents(processor)
    if not parents:
        raise Unfit("no microarchitecture of archspec runs on it")
    flags = _clang_flags(processor)
    entry: dict[str, Any] = {
        "from": [*parents],
        # That of the parents for a processor that is none of a vendor's known.
        "vendor": _known_vendor(processor) or MACHINES[parents[0]].vendor,
        "features": [*sorted(flags_of(processor.architecture, features))],
        "compilers": {"clang": [{"versions": CLANG, "flags": flags}]} if flags else {},
    }
    written = {
        child(node.pointer, name) for name in ("kind", "mcpu", "mattr") if name in node.value
    }
    reasons = {child(node.pointer, name): NO_WORD for name in ("mtriple", "mabi", "mfloat-abi")}
    content: dict[str, Any] = {ENTRIES: {entry_name(reference): entry}}
    return Notation(content, (node,), written, reasons)


def is_entry(source: object) -> bool:
    """Return whether JSON looks like microarchitectures: a file of archspec, or one of them."""
    is_one = isinstance(source, dict) and {"name", "parents", "features"} <= source.keys()
    return is_one or (isinstance(source, dict) and ENTRIES in source)


def entry_name(reference: str) -> str:
    """Return a name that none of archspec's own has: `aws_c7i` of `aws/c7i@1.0.0`."""
    tag, _, rest = reference.partition("@")
    name = re.sub(r"[^a-z0-9.]+", "_", f"{tag}{rest.partition('#')[2]}".lower()).strip("_")
    return f"tag_{name}" if name in MACHINES else name


def nearest_name(processor: Processor, *, without: Collection[str] = ()) -> str:
    """Return the one of archspec's own that it would detect; empty if there is none.

    Like archspec, it is the largest level that runs there, or the largest above that.
    """
    running = [name for name in _running(processor) if name not in without]
    ranks = {name: len(_running_on(name) & {*running}) for name in reversed(running)}
    levels = [name for name in ranks if MACHINES[name].vendor == GENERIC]
    level = max(levels, key=lambda name: ranks[name], default="")
    above = [name for name in ranks if name == level or level in _running_on(name)]
    return max(above, key=lambda name: ranks[name], default="")


def levels_of(processor: Processor) -> list[str]:
    """Return the levels that run on a processor, the largest first."""
    levels = [name for name in _running(processor) if MACHINES[name].vendor == GENERIC]
    latest_first = [*reversed(levels)]
    return sorted(latest_first, key=lambda name: -len(_running_on(name) & {*levels}))


def processor_of(target: Mapping[str, Any]) -> tuple[Node, Processor]:
    """Return the target if it is a processor, else its host, or that host's. Raises `Unfit`."""
    pointer = ""
    by_pointer = {node.pointer: node for node in nodes(dict(target))}
    while pointer in by_pointer:
        node = by_pointer[pointer]
        if node.kind in KINDS:
            return node, Processor.from_leaf(pointer, node.value, shipped_tables())
        pointer = child(pointer, HOST)
    raise Unfit("it states no processor")


def known_features(processor: Processor) -> Features:
    """Return the features that the machine has. Raises `Unfit` if they are not known."""
    features = processor.features(of_machine=True)
    if features is None or processor.features() is None or processor.is_host_dependent:
        raise Unfit(f"the features of {processor.mcpu or 'its processor'} are not known")
    return features


def _running(processor: Processor) -> tuple[str, ...]:
    """Return those of archspec's own that run on a processor, of its vendor or of none."""
    vendors = {GENERIC, _known_vendor(processor)}
    mcpu = str(processor.options.get("mcpu", ""))
    names = _running_names(processor.architecture, mcpu, texts(processor.options, "mattr"))
    return tuple(name for name in names if MACHINES[name].vendor in vendors)


@lru_cache(MAX_PROCESSORS)
def _running_names(architecture: str, mcpu: str, mattr: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of archspec's own that run on a processor, under one triple for all."""
    machine = {
        "kind": "llvm",
        "mtriple": f"{architecture}-unknown-linux-gnu",
        **({"mcpu": mcpu} if mcpu else {}),
        "mattr": [*mattr],
    }
    own = [name for name, each in MACHINES.items() if each.architecture == architecture]
    return tuple(name for name in own if verdict(body(name), machine).answer is Answer.YES)


def _parents(processor: Processor) -> list[str]:
    """Return those that run on a processor, without those that run on another of them."""
    running = _running(processor)
    smaller = {
        name
        for name in running
        for other in running
        if name in _running_on(other) and (other not in _running_on(name) or name < other)
    }
    return [name for name in running if name not in smaller]


def _running_on(name: str) -> frozenset[str]:
    """Return the others of archspec's own that run on one of them."""
    machine = MACHINES[name]
    return frozenset(_running_names(machine.architecture, machine.mcpu, machine.mattr)) - {name}


def _known_vendor(processor: Processor) -> str:
    """Return archspec's word for the vendor of a processor; empty if it is not known."""
    if own := [each.vendor for each in MACHINES.values() if each.mcpu == processor.mcpu]:
        return own[0]
    if processor.mcpu in x86.INTEL_MODELS:
        return x86.INTEL
    if processor.mcpu in {row[-1] for row in x86.AMD_MODELS}:
        return x86.AMD
    return _arm_vendors().get(processor.mcpu, "")


@cache
def _arm_vendors() -> Mapping[str, str]:
    """Return the vendors of Arm's cores by LLVM's names."""
    return {
        mcpu: ARM_VENDORS[implementer]
        for implementer in ARM_VENDORS
        for mcpu in arm.CORES[implementer]
    }


def flags_of(architecture: str, features: Iterable[str]) -> set[str]:
    """Return the flags of these features that archspec's own entries have."""
    names = {flag for feature in features for flag in names_of(architecture, feature)}
    return names & FLAGS.get(architecture, frozenset())


@cache
def features_by_flag(architecture: str) -> Mapping[str, str]:
    """Return LLVM's features by the flags that show them: of several, the alphabet's first."""
    table = shipped_tables().instruction_sets[architecture]
    known = sorted({*table.implied, *table.ignored}, reverse=True)
    return {flag: feature for feature in known for flag in names_of(architecture, feature)}


def names_of(architecture: str, feature: str) -> tuple[str, ...]:
    """Return the flags by which Linux shows a feature."""
    if architecture == "aarch64":
        return ARM_NAMES.get(feature, (feature,))
    return (X86_NAMES.get(feature, feature),)


def _clang_flags(processor: Processor) -> str:
    flag = TABLES["clang"]["architectures"][processor.architecture]["cpu"]
    named = [f"{flag}={processor.mcpu}"] if processor.mcpu not in ("", GENERIC) else []
    features = [f"-Xclang -target-feature -Xclang {feature}" for feature in processor.mattr]
    return " ".join([*named, *features])
