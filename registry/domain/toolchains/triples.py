"""Parse LLVM triples: architecture, vendor, system and environment.

Components may be missing or out of place; they are put in order as by llvm::Triple::normalize of
LLVM 22.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

UNSPECIFIED = frozenset({"unknown", "none"})  # placeholders in triples
BARE = "none"  # the system of code without an operating system

# LLVM's spelling of other names of architectures.
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

# Systems known to LLVM, longer names before their prefixes. A version may follow.
SYSTEM = re.compile(
    "aix|amdhsa|amdpal|cuda|darwin|dragonfly|driverkit|emscripten|freebsd|fuchsia|haiku|hermit|hurd|"
    "ios|kfreebsd|linux|liteos|macosx|macos|mesa3d|netbsd|nvcl|openbsd|ps4|ps5|rtems|serenity|"
    "solaris|tvos|uefi|visionos|vulkan|wasi|watchos|win32|windows|xros|zos"
)
SYSTEM_ALIASES = {"macosx": "macos", "win32": "windows", "xros": "visionos"}

# A C library, a calling convention, or both; t64 is Debian's mark for a 64-bit time_t.
ENVIRONMENT = re.compile(
    r"(?P<libc>gnu|musl|android|ohos|msvc|llvm|mlibc|(?=eabi))"
    r"_?(?P<abi>eabihf|eabi|x32|ilp32|abin32|abi64|f32|f64|sf|spe)?(?:t64)?[0-9.]*"
)
# Environments, and file formats in that position, that imply neither.
OTHER_ENVIRONMENTS = re.compile(
    r"(?:cygnus|itanium|simulator|macabi|coreclr|elf|coff|macho|wasm).*"
)


@dataclass(frozen=True, slots=True)
class Triple:
    """The components of a triple; missing ones are empty.

    `arch` is LLVM's name for the architecture, the same for all its versions (arm for armv7a and
    thumbv7em); `processor` is its spelling in the triple. `os` has no version; `environment` is as
    written. `libc` is the C library as named in triples (gnu, musl, android, msvc), `abi` the
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
        """Parse a triple with any number of components. Unknown components keep their position."""
        processor, *rest = text.split("-")
        vendor, system, environment = _ordered(rest)
        if vendor == BARE and not system and environment:
            vendor, system = "", BARE  # arm-none-eabi: "none" is the system, not a vendor
        match = ENVIRONMENT.fullmatch(environment)
        return cls(
            arch=_architecture(processor),
            processor=processor,
            vendor="" if vendor in UNSPECIFIED else vendor,
            os="" if system == "unknown" else _system(system),
            environment="" if environment in UNSPECIFIED else environment,
            libc=(match and match["libc"]) or "",
            abi=(match and match["abi"]) or "",
        )


def _architecture(processor: str) -> str:
    if arm := ARM.fullmatch(processor):
        return "armeb" if any(arm.groups()) else "arm"
    if X86.fullmatch(processor):
        return "i386"
    return ARCHITECTURES.get(processor, processor)


def _system(text: str) -> str:
    match = SYSTEM.match(text)
    name = match[0] if match else text
    return SYSTEM_ALIASES.get(name, name)


def _ordered(parts: list[str]) -> list[str]:
    """Return vendor, system and environment; known components in their positions."""
    components, free = ["", "", ""], 0
    for component in parts:
        position = max(_position(component), free)
        if position < len(components):
            components[position] = component
            free = position + 1
    return components


def _position(part: str) -> int:
    """Return the first possible position: 0 vendor, 1 system, 2 environment."""
    if SYSTEM.match(part):
        return 1
    return 2 if part and (ENVIRONMENT.fullmatch(part) or OTHER_ENVIRONMENTS.fullmatch(part)) else 0
