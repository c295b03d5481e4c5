"""The operating system that a triple names, with its object format and versions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttag_rules.compatibility.processors import BARE, Processor
from ttag_rules.triple_names import file_format

WINDOWS, MACOS, FREESTANDING = "windows", "macos", "elf"
OPEN = "-unknown-unknown-"
# iOS's code for the Mac runs on macOS; a simulator's nowhere else.
SAME_SYSTEMS = {"darwin": MACOS, "macosx": MACOS, "ios macabi": MACOS}
VARIANTS = frozenset({"simulator", "macabi"})
# The names of systems for people.
NAMES = {MACOS: "macOS", "ios": "iOS", "linux": "Linux", "windows": "Windows"}
NAMES |= {BARE: "no operating system", "freebsd": "FreeBSD"}
APPLE = ("macos", "ios", "tvos", "watchos", "visionos", "bridgeos", "driverkit")
FORMATS = {WINDOWS: "coff", "uefi": "coff", "aix": "xcoff", "zos": "goff", "wasi": "wasm"}
VERSION = re.compile(
    r"-(?P<name>macosx|macos|darwin|ios|tvos|watchos|xros|visionos|freebsd|android|gnu|musl)"
    r"(?:eabihf|eabi)?\.?(?P<version>[0-9]{1,4}(?:\.[0-9]{1,4}){0,3})(?=$|-)"
)
VERSION_NAMES = {"macosx": MACOS, "xros": "visionos", "gnu": "glibc"}
DARWIN_OF_MACOS_11 = 20  # the same for later ones, up to Darwin 24; before, macOS 10.x is x + 4


def system(processor: Processor) -> str:
    """Return the operating system; `none` without one, empty if none is stated."""
    triple = processor.triple
    name = triple.os
    is_open = OPEN in processor.triple_text  # as of an object file, which names no system
    is_bare = triple.environment == FREESTANDING or triple.abi.startswith("eabi")
    if is_bare and not (name or is_open):
        name = BARE
    variant = next((each for each in VARIANTS if triple.environment.startswith(each)), "")
    name = f"{name} {variant}".strip()
    return SAME_SYSTEMS.get(name, name)


def file_format_of(processor: Processor) -> str:
    """Return the format of object files: the triple's, else the usual one of its system."""
    stated = file_format(processor.triple_text.rpartition("-")[2])
    if stated:
        return stated
    if processor.triple.arch.startswith("wasm"):
        return "wasm"
    name = system(processor)
    return "macho" if name.startswith(APPLE) else FORMATS.get(name, "elf")


def floors(processor: Processor) -> Iterator[tuple[str, str]]:
    """Yield names and versions of the system and the C library that a triple states."""
    for match in VERSION.finditer(processor.triple_text):
        name, version = match["name"], match["version"]
        if name == "darwin":
            yield MACOS, _macos(version)
        else:
            yield VERSION_NAMES.get(name, name), version


def _macos(darwin: str) -> str:
    """Return the version of macOS that a version of Darwin belongs to."""
    major = int(darwin.partition(".")[0])
    if major < DARWIN_OF_MACOS_11:
        return f"10.{major - 4}"
    after_rename = 25  # macOS 26 has Darwin 25
    return str(major + 1 if major >= after_rename else major - 9)
