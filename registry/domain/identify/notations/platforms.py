"""Read platforms: of containers and Go, Bazel, Conan, Meson, CMake, archspec, Spack and Nix.

They state an architecture and a system, seldom a processor; each that differs is a reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from registry.domain.identify.drafts import Draft, Span
from registry.domain.identify.notations.triple_text import as_llvm, triples_in
from registry.domain.identify.readings import Reading
from registry.domain.toolchains.triples import Triple

MAX_MATCHES = 64
# The first component of a triple for what projects call an architecture.
ARCHITECTURES: Mapping[str, str] = {
    **dict.fromkeys(("amd64", "x86_64", "x86-64", "x64", "k8", "x86_64-v1"), "x86_64"),
    **dict.fromkeys(("386", "i386", "i486", "i586", "x86_32", "x86", "piii"), "i386"),
    "i686": "i686",
    **dict.fromkeys(("arm64", "aarch64", "armv8", "arm64-v8a", "arm64_v8a", "arm64/v8"), "aarch64"),
    **dict.fromkeys(("armv9", "arm64/v9"), "aarch64"),
    **dict.fromkeys(("arm/v7", "armv7", "armv7hf", "armv7l", "armeabi-v7a", "armv7a"), "armv7"),
    **dict.fromkeys(("arm/v6", "armv6", "armv6l"), "armv6"),
    **dict.fromkeys(("arm/v5", "armv5", "armv5te"), "armv5te"),
    **dict.fromkeys(("arm", "armhf", "aarch32"), "arm"),
    **dict.fromkeys(("riscv64", "rv64"), "riscv64"),
    **dict.fromkeys(("riscv32", "rv32"), "riscv32"),
    **dict.fromkeys(("ppc64le", "powerpc64le", "ppc64el"), "powerpc64le"),
    **{name: name for name in ("s390x", "loongarch64", "mips64el", "wasm32", "wasm64")},
    **dict.fromkeys(("loong64",), "loongarch64"),
    **dict.fromkeys(("mips64le",), "mips64el"),
    **dict.fromkeys(("wasm",), "wasm32"),
}
SYSTEMS: Mapping[str, str] = {
    "linux": "unknown-linux",
    "windows": "pc-windows",
    **dict.fromkeys(("darwin", "macos", "osx"), "apple-macosx"),
    "ios": "apple-ios",
    "android": "unknown-linux-android",
    "freebsd": "unknown-freebsd",
    "netbsd": "unknown-netbsd",
    "openbsd": "unknown-openbsd",
    "emscripten": "unknown-emscripten",
    **dict.fromkeys(("wasi", "wasip1"), "unknown-wasi"),
    **dict.fromkeys(("none", "generic", "baremetal"), "none-unknown"),
}
C_LIBRARY = "the C library and calling convention are not stated"
NO_SYSTEM = "the system is not stated"

_ARCH = "|".join(sorted(map(re.escape, ARCHITECTURES), key=len, reverse=True))
_ABI = r"(?:arm64-v8a|armeabi-v7a|x86_64|x86)"  # of Android
_OS = "|".join(SYSTEMS)
_ARCHES = rf"(?:{_ARCH})(?:[;,|](?:{_ARCH}))*"  # a list, as CMake and Gradle write one
_END = r"(?![\w/.-])"
NAMES = re.compile(r"[^;,| ]+")
OCI = re.compile(rf"(?<![\w./:-])(?P<os>linux|windows|darwin|freebsd)/(?P<arch>{_ARCH}){_END}")
PAIRS: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = (
    (
        "platform of Go",
        re.compile(rf"\bGOARCH\s*[=:]\s*[\"']?(?P<arch>{_ARCH}){_END}"),
        re.compile(rf"\bGOOS\s*[=:]\s*[\"']?(?P<os>{_OS}|js)\b"),
    ),
    (
        "platform of Bazel",
        re.compile(rf"(?:@platforms//cpu:|--cpu=|--host_cpu=)(?P<arch>{_ARCH}){_END}"),
        re.compile(rf"@platforms//os:(?P<os>{_OS})\b"),
    ),
    (
        "machine file of Meson",
        re.compile(rf"\bcpu_family\s*=\s*['\"](?P<arch>{_ARCH})['\"]"),
        re.compile(rf"\bsystem\s*=\s*['\"](?P<os>{_OS})['\"]"),
    ),
    (
        "variables of CMake",
        re.compile(
            r"(?:\b|-D)CMAKE_(?:SYSTEM_PROCESSOR|OSX_ARCHITECTURES|ANDROID_ARCH_ABI)"
            rf"(?::[A-Z]+)?(?:\s*=\s*|\s+)[\"']?(?P<arch>{_ARCHES}){_END}",
            re.IGNORECASE,
        ),
        re.compile(
            r"(?:\b|-D)CMAKE_(?:SYSTEM_NAME(?::[A-Z]+)?(?:\s*=\s*|\s+)[\"']?|(?=OSX))"
            rf"(?P<os>{_OS})(?![A-Za-z])",
            re.IGNORECASE,
        ),
    ),
    (
        "settings of Conan",
        re.compile(
            rf"(?:^|-s(?::[bh])?\s+)\s*(?:settings\.)?arch\s*=\s*(?P<arch>{_ARCH}){_END}",
            re.MULTILINE,
        ),
        re.compile(
            rf"(?:^|-s(?::[bh])?\s+)\s*(?:settings\.)?os\s*=\s*(?P<os>{_OS})\b",
            re.MULTILINE | re.IGNORECASE,
        ),
    ),
    (
        "ABI of Android",
        re.compile(
            r"(?:\b|-D)(?:ANDROID_ABI|APP_ABI)\s*[:?]?=\s*[\"']?"
            rf"(?P<arch>{_ABI}(?:[;, ]{_ABI})*)\b"
        ),
        re.compile(r"(?P<os>ANDROID)_(?:ABI|PLATFORM|NDK)"),
    ),
    (
        "platform of Nix",
        re.compile(
            r"(?:\bsystem\s*=\s*|--system\s+|legacyPackages\.)[\"']?(?P<arch>x86_64|aarch64|i686|armv7l|riscv64)-(?:linux|darwin)\b"
        ),
        re.compile(r"(?:x86_64|aarch64|i686|armv7l|riscv64)-(?P<os>linux|darwin)\b"),
    ),
)


def read(text: str) -> Iterator[Reading]:
    """Yield a reading for each platform that differs, form by form."""
    yield from _containers(text)
    for form, architecture, system in PAIRS:
        yield from _pairs(text, form, architecture, system)


def _containers(text: str) -> Iterator[Reading]:
    drafts: dict[str, Draft] = {}
    for match in islice(OCI.finditer(text), MAX_MATCHES):
        draft = drafts.setdefault(match[0], Draft(text, "platform of containers"))
        _state(draft, match["arch"], match.span("arch"), match["os"], match.span("os"))
    yield from (draft.reading() for draft in drafts.values())


def _pairs(
    text: str, form: str, architecture: re.Pattern[str], system: re.Pattern[str]
) -> Iterator[Reading]:
    """Yield the platforms of a form whose architecture and system stand apart."""
    systems = {
        (match["os"] or "").casefold(): match
        for match in islice(system.finditer(text), MAX_MATCHES)
        if match["os"]
    }
    only = next(iter(systems.values())) if len(systems) == 1 else None
    drafts: dict[str, Draft] = {}
    for match in islice(architecture.finditer(text), MAX_MATCHES):
        for name in NAMES.finditer(match["arch"]):
            start = match.start("arch") + name.start()
            draft = drafts.setdefault(name[0].casefold(), Draft(text, form))
            of_system = (only["os"], only.span("os")) if only else ("", None)
            _state(draft, name[0], (start, start + len(name[0])), *of_system)
    precise = {_machine(as_llvm(word.text)) for word in triples_in(text)} if drafts else set()
    for draft in drafts.values():
        if _machine(draft.body["mtriple"]) not in precise:
            yield draft.reading()


def _machine(triple: str) -> tuple[str, str]:
    """Return the architecture and system of a triple, in which a more precise one agrees."""
    parsed = Triple.parse(triple)
    return parsed.arch, parsed.os


def _state(draft: Draft, name: str, span: Span, system: str, of_system: Span | None) -> None:
    """State the triple of an architecture and a system."""
    architecture = ARCHITECTURES[name.casefold()]
    triple = f"{architecture}-{SYSTEMS.get(system.casefold(), 'unknown-unknown')}"
    draft.state("/kind", "llvm", span, "inferred")
    draft.state("/mtriple", triple, span, "inferred")
    if of_system:
        draft.state("/mtriple", triple, of_system, "inferred")
    if not of_system:
        draft.notes.append(NO_SYSTEM)
    elif system.casefold() in ("linux", "windows"):
        draft.notes.append(C_LIBRARY)
