"""Cores of Arm and its licensees: from the numbers of implementer and part to LLVM's name.

The numbers are those by which LLVM 22 recognizes its host (llvm/lib/TargetParser/Host.cpp), Apple's
those of Linux (arch/arm64/include/asm/cputype.h); the features are those that clang 22 switches on
for each name, as far as Linux shows them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ttag_rules.probe.facts import Core, beyond, lacking

ARM = 0x41
VENDORS = {
    ARM: "Arm",
    0x43: "Cavium",
    0x46: "Fujitsu",
    0x48: "HiSilicon",
    0x4E: "NVIDIA",
    0x51: "Qualcomm",
    0x53: "Samsung",
    0x61: "Apple",
    0x6D: "Microsoft",
    0xC0: "Ampere",
}
# Smaller cores stand before larger ones of their implementer: code for a machine with several
# kinds of cores is made for the smallest.
CORES: dict[int, dict[str, tuple[int, ...]]] = {
    ARM: {
        "arm1136j-s": (0xB36,),
        "arm1156t2-s": (0xB56,),
        "arm1176jzf-s": (0xB76,),
        "cortex-a5": (0xC05,),
        "cortex-a7": (0xC07,),
        "cortex-a8": (0xC08,),
        "cortex-a9": (0xC09,),
        "cortex-a12": (0xC0D,),
        "cortex-a15": (0xC0F,),
        "cortex-a17": (0xC0E,),
        "cortex-a32": (0xD01,),
        "cortex-a34": (0xD02,),
        "cortex-a35": (0xD04,),
        "cortex-a53": (0xD03,),
        "cortex-a55": (0xD05,),
        "cortex-a320": (0xD8F,),
        "cortex-a510": (0xD46,),
        "cortex-a520": (0xD80,),
        "cortex-a520ae": (0xD88,),
        "c1-nano": (0xD8A,),
        "cortex-a57": (0xD07,),
        "cortex-a65": (0xD06,),
        "cortex-a65ae": (0xD43,),
        "cortex-a72": (0xD08,),
        "cortex-a73": (0xD09,),
        "cortex-a75": (0xD0A,),
        "cortex-a76": (0xD0B,),
        "cortex-a76ae": (0xD0E,),
        "cortex-a77": (0xD0D,),
        "cortex-a78": (0xD41,),
        "cortex-a78ae": (0xD42,),
        "cortex-a78c": (0xD4B,),
        "cortex-a710": (0xD47,),
        "cortex-a715": (0xD4D,),
        "cortex-a720": (0xD81,),
        "cortex-a720ae": (0xD89,),
        "cortex-a725": (0xD87,),
        "c1-pro": (0xD8B,),
        "c1-premium": (0xD90,),
        "cortex-x1": (0xD44,),
        "cortex-x1c": (0xD4C,),
        "cortex-x2": (0xD48,),
        "cortex-x3": (0xD4E,),
        "cortex-x4": (0xD82,),
        "cortex-x925": (0xD85,),
        "c1-ultra": (0xD8C,),
        "neoverse-e1": (0xD4A,),
        "neoverse-n1": (0xD0C,),
        "neoverse-n2": (0xD49,),
        "neoverse-n3": (0xD8E,),
        "neoverse-v1": (0xD40,),
        "neoverse-v2": (0xD4F,),
        "neoverse-v3": (0xD84,),
        "neoverse-v3ae": (0xD83,),
    },
    0x43: {
        "thunderxt81": (0x0A2,),
        "thunderxt83": (0x0A3,),
        "thunderxt88": (0x0A1,),
        "thunderx2t99": (0x0AF, 0x516),
        "thunderx3t110": (0x0B8,),
    },
    0x46: {"a64fx": (0x001,), "fujitsu-monaka": (0x003,)},
    0x48: {"tsv110": (0xD01,)},
    0x4E: {"carmel": (0x004,), "olympus": (0x010,)},
    0x51: {
        "cortex-a53": (0x801,),
        "cortex-a55": (0x803, 0x805),
        "kryo": (0x201, 0x205, 0x211),
        "cortex-a73": (0x800,),
        "cortex-a75": (0x802,),
        "cortex-a76": (0x804,),
        "falkor": (0xC00,),
        "saphira": (0xC01,),
        "oryon-1": (0x001,),
    },
    0x53: {"exynos-m3": (0x002,), "exynos-m4": (0x003,), "exynos-m5": (0x004,)},
    0x61: {
        "apple-a14": (0x020, 0x021, 0x022, 0x023, 0x024, 0x025, 0x028, 0x029),
        "apple-a15": (0x030, 0x031, 0x032, 0x033, 0x034, 0x035, 0x038, 0x039),
        "apple-a16": (0x042, 0x043, 0x044, 0x045, 0x048, 0x049),
        "apple-m4": (0x052, 0x053, 0x054, 0x055, 0x058, 0x059),
    },
    0x6D: {"neoverse-n2": (0xD49,)},
    0xC0: {"ampere1": (0xAC3,), "ampere1a": (0xAC4,), "ampere1b": (0xAC5,)},
}
ORDER = {
    (implementer, part): (mcpu, position)
    for implementer, cores in CORES.items()
    for position, (mcpu, parts) in enumerate(cores.items())
    for part in parts
}
ALL = (
    *("aes", "sha2", "sha3", "sm4", "crc", "lse", "rdm", "dotprod", "fullfp16", "fp16fml"),
    *("i8mm", "bf16", "sve", "sve2"),
)
V8, V82 = "- aes sha2 crc", "- aes sha2 crc lse rdm dotprod fullfp16"
V9 = "- crc lse rdm dotprod fullfp16 fp16fml i8mm bf16 sve sve2"
FEATURES = {
    **dict.fromkeys(("cortex-a34", "cortex-a35", "cortex-a53", "cortex-a57"), V8),
    **dict.fromkeys(("cortex-a72", "cortex-a73", "kryo", "exynos-m3"), V8),
    **dict.fromkeys(("thunderxt81", "thunderxt83", "thunderxt88"), V8),
    **dict.fromkeys(("cortex-a55", "cortex-a65", "cortex-a65ae", "cortex-a75"), V82),
    **dict.fromkeys(("cortex-a76", "cortex-a76ae", "cortex-a77", "cortex-a78"), V82),
    **dict.fromkeys(("cortex-a78ae", "cortex-a78c", "cortex-x1", "cortex-x1c"), V82),
    **dict.fromkeys(("neoverse-e1", "neoverse-n1", "exynos-m4", "exynos-m5"), V82),
    **dict.fromkeys(("cortex-a320", "cortex-a510", "cortex-a520", "cortex-a520ae", "c1-nano"), V9),
    **dict.fromkeys(("cortex-a710", "cortex-a715", "cortex-a720", "cortex-a720ae"), V9),
    **dict.fromkeys(("cortex-a725", "c1-pro", "c1-premium", "c1-ultra"), V9),
    **dict.fromkeys(("cortex-x2", "cortex-x3", "cortex-x4", "cortex-x925"), V9),
    **dict.fromkeys(("neoverse-n2", "neoverse-n3", "neoverse-v2"), V9),
    **dict.fromkeys(("neoverse-v3", "neoverse-v3ae"), V9),
    "neoverse-v1": "cortex-a55 sha3 sm4 fp16fml i8mm bf16 sve",
    "thunderx2t99": "cortex-a53 lse rdm",
    "thunderx3t110": "thunderx2t99",
    "a64fx": "thunderx2t99 fullfp16 sve",
    "fujitsu-monaka": "neoverse-v1 sve2",
    "tsv110": "cortex-a55 fp16fml",
    "carmel": "thunderx2t99 fullfp16",
    "olympus": "fujitsu-monaka",
    "falkor": "cortex-a53 rdm",
    "saphira": "thunderx2t99 dotprod",
    "oryon-1": "saphira sha3 sm4 i8mm bf16",
    "ampere1": "tsv110 sha3 i8mm bf16",
    "ampere1a": "ampere1 sm4",
    "ampere1b": "ampere1a",
    "apple-a14": "tsv110 sha3",
    "apple-a15": "ampere1",
    "apple-a16": "ampere1",
    "apple-m4": "ampere1",
}
# Features by LLVM's name that /proc/cpuinfo calls otherwise.
FLAGS = {
    "crc": "crc32",
    "dotprod": "asimddp",
    "fp16fml": "asimdfhm",
    "fullfp16": "asimdhp",
    "lse": "atomics",
    "rdm": "asimdrdm",
}
APPLE_CHIPS = {
    "M1": "apple-a14",
    "M2": "apple-a15",
    "M3": "apple-a16",
    "M4": "apple-m4",
    "M5": "apple-m5",
}


def identify(parts: Iterable[tuple[int, int]], flags: Collection[str]) -> Core:
    """Return LLVM's name of the smallest of several cores, with what else the machine has or lacks.

    A part is its implementer's number and its own. One that LLVM has no name for is generic, with
    the features that the flags show. Without flags nothing is taken to be missing.
    """
    kinds = sorted(set(parts), key=lambda part: ORDER.get(part, ("", -1))[1])
    unknown = [part for part in kinds if part not in ORDER]
    if unknown or not kinds:
        shown = tuple(f"+{feature}" for feature in ALL if FLAGS.get(feature, feature) in flags)
        return Core("generic", shown, caveat=_unknown(unknown))
    mcpu, _ = ORDER[kinds[0]]
    others = ", ".join(dict.fromkeys(ORDER[part][0] for part in kinds if ORDER[part][0] != mcpu))
    caveat = (
        f"it also has {others}; {mcpu} is the smallest, whose code runs on all" if others else ""
    )
    off = lacking(mcpu, FEATURES, flags, FLAGS) if flags else ()
    return Core(mcpu, (*beyond(mcpu, FEATURES, flags, FLAGS), *off), caveat=caveat)


def parts_called(vendor: str, names: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield implementer and part of Arm's own cores by the names that `lscpu` has for them.

    It yields nothing if one of them is of another maker, or has a name that LLVM does not have.
    """
    numbers = [CORES[ARM].get(name.lower(), ()) for name in names]
    if vendor == "ARM" and all(numbers):
        yield from ((ARM, part) for parts in numbers for part in parts)


def identify_apple(brand: str) -> Core:
    """Return LLVM's name of the chip that macOS calls `Apple M1 Max`."""
    generation = brand.removeprefix("Apple ").split(" ")[0]
    if mcpu := APPLE_CHIPS.get(generation):
        return Core(mcpu)
    return Core(
        "apple-a14",
        caveat=f"{brand!r} is a chip that ttag has no name for; apple-a14 is the oldest with macOS",
    )


def _unknown(parts: Collection[tuple[int, int]]) -> str:
    if not parts or all(implementer == 0 for implementer, _ in parts):
        return "implementer and part are hidden; its features are listed"
    numbers = ", ".join(f"implementer {number:#x} part {part:#x}" for number, part in parts)
    return f"LLVM has no name for {numbers}; its features are listed"
