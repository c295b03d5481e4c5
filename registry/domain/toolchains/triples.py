"""LLVM triples: what the architecture-vendor-system-environment names of compilers say.

Parts may be missing or stand elsewhere; they are put in their places as LLVM does
(llvm::Triple::normalize of LLVM 22).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

UNSAID = frozenset({"unknown", "none"})  # how triples spell that there is nothing to say
BARE = "none"  # the system of code that runs on no system

# Architectures under other names, in the spelling of LLVM.
ARCHITECTURES = {
    "amd64": "x86_64",
    "x86_64h": "x86_64",
    "arm64": "aarch64",
    "arm64e": "aarch64",
    "arm64ec": "aarch64",
    "arm64_32": "aarch64_32",
    "xscale": "arm",
    "ppc": "powerpc",
    "ppc32": "powerpc",
    "ppcle": "powerpcle",
    "ppc64": "powerpc64",
    "ppc64le": "powerpc64le",
    "systemz": "s390x",
    "sparc64": "sparcv9",
}
X86 = re.compile(r"i[3-9]86")
ARM = re.compile(r"(?:arm|thumb)(eb)?(?:v[0-9].*?(eb)?)?")  # armv7a, thumbv7em, armebv7r, armv6eb

# Systems that LLVM knows, longer names before their beginnings. A version may follow.
SYSTEM = re.compile(
    "aix|amdhsa|amdpal|cuda|darwin|dragonfly|driverkit|emscripten|freebsd|fuchsia|haiku|hermit|hurd|"
    "ios|kfreebsd|linux|liteos|macosx|macos|mesa3d|netbsd|nvcl|openbsd|ps4|ps5|rtems|serenity|"
    "solaris|tvos|uefi|visionos|vulkan|wasi|watchos|win32|windows|xros|zos"
)
SAME_SYSTEM = {"macosx": "macos", "win32": "windows", "xros": "visionos"}

# A C library, a calling convention, or both; t64 is Debian's mark for a 64-bit time_t.
ENVIRONMENT = re.compile(
    r"(?P<libc>gnu|musl|android|ohos|msvc|llvm|mlibc|(?=eabi))"
    r"_?(?P<abi>eabihf|eabi|x32|ilp32|abin32|abi64|f32|f64|sf|spe)?(?:t64)?[0-9.]*"
)
# Environments, and file formats in the place of one, that say neither.
OTHER_ENVIRONMENTS = re.compile(
    r"(?:cygnus|itanium|simulator|macabi|coreclr|elf|coff|macho|wasm).*"
)


@dataclass(frozen=True, slots=True)
class Triple:
    """A triple in its parts; a part that it does not say is empty.

    `arch` is LLVM's name for the architecture, one for all versions of it (arm for armv7a and
    thumbv7em); `processor` is the same as the triple spells it. `os` has no version, `environment`
    is as written. `libc` is the C library as triples name it (gnu, musl, android, msvc), `abi` the
    calling convention (eabihf, x32).
    """

    arch: str
    processor: str
    vendor: str = ""
    os: str = ""
    environment: str = ""
    libc: str = ""
    abi: str = ""

    @classmethod
    def parse(cls, text: str) -> Triple:
        """Read a triple of any length. Whatever is no part that LLVM knows stands where it is."""
        processor, *rest = text.split("-")
        vendor, system, environment = _in_place(rest)
        if vendor == BARE and not system and environment:
            vendor, system = "", BARE  # arm-none-eabi: nobody is called none
        found = ENVIRONMENT.fullmatch(environment)
        return cls(
            arch=_architecture(processor),
            processor=processor,
            vendor="" if vendor in UNSAID else vendor,
            os="" if system == "unknown" else _system(system),
            environment="" if environment in UNSAID else environment,
            libc=(found and found["libc"]) or "",
            abi=(found and found["abi"]) or "",
        )


def _architecture(processor: str) -> str:
    if arm := ARM.fullmatch(processor):
        return "armeb" if any(arm.groups()) else "arm"
    if X86.fullmatch(processor):
        return "i386"
    return ARCHITECTURES.get(processor, processor)


def _system(text: str) -> str:
    found = SYSTEM.match(text)
    name = found[0] if found else text
    return SAME_SYSTEM.get(name, name)


def _in_place(parts: list[str]) -> list[str]:
    """Vendor, system and environment: a part that is known at its place, others where they can."""
    places, after = ["", "", ""], 0
    for part in parts:
        place = max(_place(part), after)
        if place < len(places):
            places[place] = part
            after = place + 1
    return places


def _place(part: str) -> int:
    """The least place that a part can have: 0 a vendor, 1 a system, 2 an environment."""
    if SYSTEM.match(part):
        return 1
    return 2 if part and (ENVIRONMENT.fullmatch(part) or OTHER_ENVIRONMENTS.fullmatch(part)) else 0
