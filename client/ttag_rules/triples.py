"""Parse LLVM triples: architecture, vendor, system and environment.

Components may be missing or out of place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ttag_rules.triple_names import CYGWIN, MINGW, SYSTEMS
from ttag_rules.triple_normalization import OrderedComponents

UNSPECIFIED = frozenset({"unknown", "none"})  # placeholders in triples

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

NAMES_OF_SYSTEMS = (*SYSTEMS, *MINGW, *CYGWIN)
SYSTEM_ALIASES = {
    "win32": "windows",
    "mingw": "windows",
    "cygwin": "windows",
    "msys": "windows",
    "xros": "visionos",
}

# A C library, a calling convention, or both; t64 is Debian's mark for a 64-bit time_t.
ENVIRONMENT = re.compile(
    r"(?P<libc>gnu|musl|android|ohos|msvc|llvm|mlibc|(?=eabi))"
    r"_?(?P<abi>eabihf|eabi|x32|ilp32|abin32|abi64|f32|f64|sf|spe)?(?:t64)?[0-9.]*"
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
    @lru_cache(maxsize=1024)  # lints, attributes and formats ask for each triple of a target
    def parse(cls, text: str) -> Triple:
        """Parse a triple with any number of components. Unknown components keep their position."""
        names = [*OrderedComponents.parse(text).names, "", "", ""]
        processor, vendor, system, environment = names[:4]
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
    """Return the name of a system without its version."""
    name = next((item for item in NAMES_OF_SYSTEMS if text.startswith(item)), text)
    return SYSTEM_ALIASES.get(name, name)
