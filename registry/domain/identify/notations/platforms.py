"""Read platforms: of containers and Go, Bazel, Conan, Meson, CMake, archspec, Spack and Nix.

They state an architecture and a system, seldom a processor; each that differs is a reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from registry.domain.identify.notations.triple_text import as_llvm, triples_in
from registry.domain.identify.reading_builder import ReadingBuilder, Span, matches_in
from registry.domain.identify.readings import Reading
from ttag_rules.triples import Triple

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
_OS = "|".join(SYSTEMS)
NAMES = re.compile(r"[^;,| ]+")  # of a list of architectures
PARTS = {
    "~": r"[ \t]{0,20}",
    "@is": r"[ \t]{0,20}[:?]?=[ \t]{0,20}[\"']?",
    "@arch": rf"(?P<arch>(?:{_ARCH})(?:[;,| ](?:{_ARCH}))*)(?![\w/.-])",
    "@os": rf"(?P<os>{_OS})(?![A-Za-z])",
}


def _pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern with the names of PARTS in it."""
    for name, part in PARTS.items():
        text = text.replace(name, part)
    return re.compile(text, re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Form:
    """A notation that states an architecture and a system apart; `word` is in each such text."""

    name: str
    word: str
    architecture: re.Pattern[str]
    system: re.Pattern[str]


OCI = _pattern(r"(?<![\w./:-])(?P<os>linux|windows|darwin|freebsd)/@arch")
FORMS = (
    Form(
        "platform of Go",
        "GOARCH",
        _pattern(r"\bGOARCH(?:@is|:~)@arch"),
        _pattern(r"\bGOOS(?:@is|:~)@os"),
    ),
    Form(
        "platform of Bazel",
        "cpu",
        _pattern(r"(?:@platforms//cpu:|--cpu=|--host_cpu=)@arch"),
        _pattern(r"@platforms//os:@os"),
    ),
    Form(
        "machine file of Meson",
        "cpu_family",
        _pattern(r"\bcpu_family@is@arch"),
        _pattern(r"\bsystem@is@os"),
    ),
    Form(
        "variables of CMake",
        "CMAKE_",
        _pattern(
            r"(?:\b|-D)CMAKE_(?:SYSTEM_PROCESSOR|OSX_ARCHITECTURES|ANDROID_ARCH_ABI)"
            r"(?::[A-Z]+)?(?:@is|[ \t]~[\"']?)@arch"
        ),
        _pattern(r"(?:\b|-D)CMAKE_(?:SYSTEM_NAME(?::[A-Z]+)?(?:@is|[ \t]~[\"']?)|(?=OSX_ARCH))@os"),
    ),
    Form(
        "settings of Conan",
        "arch",
        _pattern(r"(?:^|-s(?::[bh])?)~(?:settings\.)?arch~=~@arch"),
        _pattern(r"(?:^|-s(?::[bh])?)~(?:settings\.)?os~=~@os"),
    ),
    Form(
        "ABI of Android",
        "ABI",
        _pattern(r"(?:\b|-D)(?:ANDROID_ABI|APP_ABI)@is@arch"),
        _pattern(r"(?P<os>ANDROID)_(?:ABI|PLATFORM|NDK)"),
    ),
    Form(
        "platform of Nix",
        "system",
        _pattern(
            r"(?:\bsystem@is|--system[ ]{1,20})"
            r"(?P<arch>x86_64|aarch64|i686)-(?:linux|darwin)\b"
        ),
        _pattern(r"(?:x86_64|aarch64|i686)-(?P<os>linux|darwin)\b"),
    ),
)


def read(text: str) -> Iterator[Reading]:
    """Yield a reading for each platform that differs, form by form."""
    yield from _containers(text)
    for form in FORMS:
        if form.word in text:
            yield from _pairs(text, form)


def _containers(text: str) -> Iterator[Reading]:
    builders: dict[str, ReadingBuilder] = {}
    for match in matches_in(text, OCI):
        for name, span in _named(match):
            new = ReadingBuilder(text, "platform of containers")
            builder = builders.setdefault(f"{match['os']}/{name}", new)
            _state(builder, name, span, match["os"], match.span("os"))
    yield from (builder.reading() for builder in builders.values())


def _named(match: re.Match[str]) -> Iterator[tuple[str, Span]]:
    """Yield the architectures of a list with their places."""
    for name in NAMES.finditer(match["arch"]):
        start = match.start("arch") + name.start()
        yield name[0], (start, start + len(name[0]))


def _pairs(text: str, form: Form) -> Iterator[Reading]:
    """Yield the platforms of a form whose architecture and system stand apart."""
    systems = {match["os"].casefold(): match for match in matches_in(text, form.system)}
    only = next(iter(systems.values())) if len(systems) == 1 else None
    builders: dict[str, ReadingBuilder] = {}
    for match in matches_in(text, form.architecture):
        for name, span in _named(match):
            builder = builders.setdefault(name.casefold(), ReadingBuilder(text, form.name))
            of_system = (only["os"], only.span("os")) if only else ("", None)
            _state(builder, name, span, *of_system)
    precise = {_machine(as_llvm(word.text)) for word in triples_in(text)} if builders else set()
    for builder in builders.values():
        if _machine(builder.body["mtriple"]) not in precise:
            yield builder.reading()


def _machine(triple: str) -> tuple[str, str]:
    """Return the architecture and system of a triple, in which a more precise one agrees."""
    parsed = Triple.parse(triple)
    return parsed.arch, parsed.os


def _state(
    builder: ReadingBuilder, name: str, span: Span, system: str, of_system: Span | None
) -> None:
    architecture = ARCHITECTURES[name.casefold()]
    triple = f"{architecture}-{SYSTEMS.get(system.casefold(), 'unknown-unknown')}"
    builder.state("/kind", "llvm", span, "inferred")
    builder.state("/mtriple", triple, span, "inferred")
    if not of_system:
        builder.notes.append(NO_SYSTEM)
        return
    builder.state("/mtriple", triple, of_system, "inferred")
    if system.casefold() in ("linux", "windows"):
        builder.notes.append(C_LIBRARY)
