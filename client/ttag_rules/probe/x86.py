"""Processors of Intel and AMD: from family and model to LLVM's name.

The numbers are those by which LLVM 22 recognizes its host (llvm/lib/TargetParser/Host.cpp); the
features are those that clang 22 switches on for each name, as far as code generation uses them.
"""

from __future__ import annotations

from collections.abc import Collection

from ttag_rules.probe import x86_programs
from ttag_rules.probe.facts import Core, beyond, implied, lacking

INTEL, AMD = "GenuineIntel", "AuthenticAMD"

INTEL_MODELS = {  # of family 6
    "core2": (0x0F, 0x16),
    "penryn": (0x17, 0x1D),
    "nehalem": (0x1A, 0x1E, 0x1F, 0x2E),
    "westmere": (0x25, 0x2C, 0x2F),
    "sandybridge": (0x2A, 0x2D),
    "ivybridge": (0x3A, 0x3E),
    "haswell": (0x3C, 0x3F, 0x45, 0x46),
    "broadwell": (0x3D, 0x47, 0x4F, 0x56),
    "skylake": (0x4E, 0x5E, 0x8E, 0x9E, 0xA5, 0xA6),
    "skylake-avx512": (0x55,),
    "cannonlake": (0x66,),
    "icelake-client": (0x7D, 0x7E),
    "icelake-server": (0x6A, 0x6C),
    "tigerlake": (0x8C, 0x8D),
    "rocketlake": (0xA7,),
    "alderlake": (0x97, 0x9A),
    "raptorlake": (0xB7, 0xBA, 0xBF),
    "meteorlake": (0xAA, 0xAC),
    "gracemont": (0xBE,),
    "arrowlake": (0xB5, 0xC5),
    "arrowlake-s": (0xC6,),
    "lunarlake": (0xBD,),
    "pantherlake": (0xCC,),
    "sapphirerapids": (0x8F,),
    "emeraldrapids": (0xCF,),
    "graniterapids": (0xAD,),
    "graniterapids-d": (0xAE,),
    "sierraforest": (0xAF,),
    "grandridge": (0xB6,),
    "clearwaterforest": (0xDD,),
    "bonnell": (0x1C, 0x26, 0x27, 0x35, 0x36),
    "silvermont": (0x37, 0x4A, 0x4C, 0x4D, 0x5A, 0x5D),
    "goldmont": (0x5C, 0x5F),
    "goldmont-plus": (0x7A,),
    "tremont": (0x86, 0x8A, 0x96, 0x9C),
    "knl": (0x57,),
    "knm": (0x85,),
}
# Model 0x55 was sold three times; each generation added a feature.
SCALABLE = (("avx512_bf16", "cooperlake"), ("avx512_vnni", "cascadelake"))

AMD_MODELS = (  # family, first and last model; the first row that matches counts
    (0x10, 0x00, 0xFF, "amdfam10"),
    (0x14, 0x00, 0xFF, "btver1"),
    (0x15, 0x60, 0x7F, "bdver4"),
    (0x15, 0x30, 0x3F, "bdver3"),
    (0x15, 0x10, 0x1F, "bdver2"),
    (0x15, 0x02, 0x02, "bdver2"),
    (0x15, 0x00, 0x01, "bdver1"),
    (0x16, 0x00, 0xFF, "btver2"),
    (0x17, 0x00, 0x2F, "znver1"),
    (0x17, 0x30, 0xAF, "znver2"),
    (0x19, 0x00, 0x0F, "znver3"),
    (0x19, 0x20, 0x2F, "znver3"),
    (0x19, 0x40, 0x5F, "znver3"),
    (0x19, 0x10, 0x1F, "znver4"),
    (0x19, 0x60, 0x7F, "znver4"),
    (0x19, 0xA0, 0xAF, "znver4"),
    (0x1A, 0x00, 0x4F, "znver5"),
    (0x1A, 0x60, 0x77, "znver5"),
)

LEVELS = ("x86-64-v4", "x86-64-v3", "x86-64-v2", "x86-64")
FEATURES = {
    "x86-64": "-",
    "x86-64-v2": "x86-64 sse3 ssse3 sse4.1 sse4.2 popcnt",
    "x86-64-v3": "x86-64-v2 avx f16c fma avx2 bmi bmi2 lzcnt movbe",
    "x86-64-v4": "x86-64-v3 avx512f avx512cd avx512bw avx512dq avx512vl",
    "core2": "x86-64 sse3 ssse3",
    "penryn": "core2 sse4.1",
    "nehalem": "x86-64-v2",
    "westmere": "x86-64-v2 pclmul",
    "sandybridge": "westmere avx",
    "ivybridge": "sandybridge f16c",
    "haswell": "x86-64-v3 pclmul",
    "broadwell": "haswell adx",
    "skylake": "broadwell aes",
    "skylake-avx512": "x86-64-v4 aes pclmul adx",
    "cascadelake": "skylake-avx512 avx512vnni",
    "cooperlake": "cascadelake avx512bf16",
    "cannonlake": "skylake-avx512 sha avx512ifma avx512vbmi",
    "icelake-client": (
        "cannonlake gfni vaes vpclmulqdq avx512vnni avx512vbmi2 avx512bitalg avx512vpopcntdq"
    ),
    "icelake-server": "icelake-client",
    "tigerlake": "icelake-client avx512vp2intersect",
    "rocketlake": "icelake-client",
    "alderlake": "skylake sha gfni vaes vpclmulqdq avxvnni",
    "raptorlake": "alderlake",
    "meteorlake": "alderlake",
    "gracemont": "alderlake",
    "arrowlake": "alderlake avxifma avxvnniint8 avxneconvert",
    "arrowlake-s": "arrowlake avxvnniint16 sm3 sm4 sha512",
    "lunarlake": "arrowlake-s",
    "pantherlake": "arrowlake-s",
    "sapphirerapids": "icelake-client avxvnni avx512bf16 avx512fp16 amx-tile amx-int8 amx-bf16",
    "emeraldrapids": "sapphirerapids",
    "graniterapids": "sapphirerapids amx-fp16",
    "graniterapids-d": "graniterapids amx-complex",
    "sierraforest": "arrowlake",
    "grandridge": "arrowlake",
    "clearwaterforest": "arrowlake-s",
    "bonnell": "core2 movbe",
    "silvermont": "westmere movbe",
    "goldmont": "silvermont aes sha",
    "goldmont-plus": "goldmont",
    "tremont": "goldmont gfni",
    "amdfam10": "x86-64 sse3 popcnt lzcnt sse4a",
    "btver1": "amdfam10 ssse3",
    "btver2": "ivybridge bmi lzcnt movbe aes sse4a",
    "bdver1": "sandybridge lzcnt aes sse4a fma4 xop",
    "bdver2": "bdver1 f16c fma bmi tbm",
    "bdver3": "bdver2",
    "bdver4": "bdver2 avx2 bmi2 movbe",
    "znver1": "skylake sha sse4a",
    "znver2": "znver1",
    "znver3": "znver1 vaes vpclmulqdq",
    "znver4": "icelake-client avx512bf16 sse4a",
    "znver5": "znver4 avxvnni avx512vp2intersect",
    "knl": "skylake avx512f avx512cd",
    "knm": "knl avx512vpopcntdq",
}
# Features by LLVM's name that /proc/cpuinfo calls otherwise.
FLAGS = {
    "amx-bf16": "amx_bf16",
    "amx-complex": "amx_complex",
    "amx-fp16": "amx_fp16",
    "amx-int8": "amx_int8",
    "amx-tile": "amx_tile",
    "avx512bf16": "avx512_bf16",
    "avx512bitalg": "avx512_bitalg",
    "avx512fp16": "avx512_fp16",
    "avx512vbmi2": "avx512_vbmi2",
    "avx512vnni": "avx512_vnni",
    "avx512vp2intersect": "avx512_vp2intersect",
    "avx512vpopcntdq": "avx512_vpopcntdq",
    "avxifma": "avx_ifma",
    "avxneconvert": "avx_ne_convert",
    "avxvnni": "avx_vnni",
    "avxvnniint16": "avx_vnni_int16",
    "avxvnniint8": "avx_vnni_int8",
    "bmi": "bmi1",
    "lzcnt": "abm",
    "pclmul": "pclmulqdq",
    "sha": "sha_ni",
    "sse3": "pni",
    "sse4.1": "sse4_1",
    "sse4.2": "sse4_2",
}
# Linux shows no flag for these, or only since lately: their absence says nothing. Those of AMX need
# amx-tile, which is shown, and are off without it.
UNSHOWN = frozenset(
    {
        *("amx-complex", "amx-fp16", "avxifma", "avxneconvert", "avxvnniint16", "avxvnniint8"),
        *("sha512", "sm3", "sm4"),
    }
)


def identify(vendor: str, family: int, model: int, flags: Collection[str]) -> Core:
    """Return LLVM's name of a processor, with what it has beyond it, less what it does not offer.

    A hypervisor can hide features, and pretend to be an older processor. A processor that LLVM has
    no name for gets the highest level that its flags fulfil.
    """
    if mcpu := _name(vendor, family, model, flags):
        missing = lacking(mcpu, FEATURES, flags, FLAGS) if flags else ()
        off = tuple(each for each in missing if each[1:] not in UNSHOWN)
        more = beyond(mcpu, FEATURES, flags, FLAGS)
        return Core(mcpu, (*more, *off), left_out=_for_programs(mcpu, flags))
    level = next(level for level in LEVELS if not lacking(level, FEATURES, flags, FLAGS))
    caveat = "its family and model are not stated"
    if family:  # no processor has the family 0
        known = f"{vendor or 'unknown vendor'} family {family} model {model}"
        caveat = f"LLVM has no name for {known}"
    caveat = f"{caveat}; {level} is the level of its features"
    more = beyond(level, FEATURES, flags, FLAGS)
    return Core(level, more, caveat=caveat, left_out=_for_programs(level, flags))


def _for_programs(mcpu: str, flags: Collection[str]) -> tuple[str, ...]:
    """Return the features that only programs ask for, and that a processor does not imply."""
    has = implied(mcpu, x86_programs.FEATURES)
    names = (name for flag, name in x86_programs.FLAGS.items() if flag in flags)
    return tuple(sorted(name for name in names if name not in has))


def _name(vendor: str, family: int, model: int, flags: Collection[str]) -> str:
    if vendor == INTEL and family == 6:
        name = next((name for name, models in INTEL_MODELS.items() if model in models), "")
        newer = (later for flag, later in SCALABLE if flag in flags)
        return next(newer, name) if name == "skylake-avx512" else name
    if vendor == AMD:
        rows = (row for row in AMD_MODELS if row[0] == family and row[1] <= model <= row[2])
        return next((row[3] for row in rows), "")
    return ""
