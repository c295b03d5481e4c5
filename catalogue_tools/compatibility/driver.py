"""The features of clang's driver where no processor is named: apple-m1's for macOS on Arm."""

# Decision 156: the driver chooses a processor by the triple, and LLVM's back end does not.

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from typing import Any

from catalogue_tools.compatibility.front_end import CLANG, run_clang, switches_in
from catalogue_tools.compatibility.instruction_sets import ARM_SPELLINGS, document_text
from ttag_rules.compatibility.conventions import BY_FEATURES, convention
from ttag_rules.compatibility.driver_defaults import FILE, VERSION, triple_key
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.tables import FeatureClass, shipped_tables

COMMAND = "python -m catalogue_tools driver-defaults"
# The driver writes them beside RISC-V's c with d and f, which have these instructions.
SAME = frozenset({"zcd", "zcf"})
ABI = re.compile(r'"-target-abi" "([^"]+)"')

# Spellings of architectures in a triple.
SPELLINGS = {
    "aarch64": ("aarch64", "aarch64_be", "arm64", "arm64e", "arm64ec"),
    "arm": ("arm", "thumb", *ARM_SPELLINGS, "thumbv7", "thumbv7s"),
    "loongarch64": ("loongarch64",),
    "powerpc64le": ("powerpc64le", "ppc64le"),
    "riscv32": ("riscv32",),
    "riscv64": ("riscv64",),
    "s390x": ("s390x",),
    "wasm32": ("wasm32",),
    "x86_64": ("x86_64", "x86_64h", "amd64"),
}
# Vendors and systems behind it, with versions whose defaults may differ: the driver asks for some.
APPLE = (
    *(f"apple-macosx{version}" for version in ("", "10.9", "11", "14", "26")),
    *("apple-ios", "apple-ios9", "apple-ios18", "apple-ios26", "apple-ios26-simulator"),
    *("apple-ios-simulator", "apple-ios14-macabi", "apple-ios26-macabi", "apple-tvos"),
    *("apple-tvos26", "apple-tvos-simulator", "apple-watchos", "apple-watchos26"),
    *("apple-watchos-simulator", "apple-xros", "apple-xros26", "apple-xros-simulator"),
    *("apple-driverkit", "apple-driverkit25"),
)
ANYWHERE = (
    *("unknown-linux-gnu", "unknown-linux-musl", "linux-android", "linux-android21"),
    *("linux-android35", "linux-ohos", "unknown-linux", "unknown-freebsd", "unknown-freebsd14"),
    *("unknown-netbsd", "unknown-openbsd", "unknown-fuchsia", "unknown-haiku", "unknown-hurd-gnu"),
    *("unknown-none-elf", "unknown-none", "unknown-unknown", "unknown-uefi"),
    *("pc-windows-msvc", "pc-windows-gnu", "unknown-managarm-mlibc", "unknown-hermit"),
)
SYSTEMS = {
    "aarch64": (*ANYWHERE, *APPLE, "unknown-linux-pauthtest"),
    "arm": (
        *("linux-gnueabi", "linux-gnueabihf", "linux-musleabi", "linux-musleabihf"),
        *("linux-androideabi", "linux-androideabi21", "linux-androideabi35", "linux-android"),
        *("unknown-linux", "linux-ohos", "none-eabi", "none-eabihf", "unknown-freebsd"),
        *("unknown-freebsd-gnueabihf", "unknown-netbsd-eabihf", "unknown-netbsd-eabi"),
        *("unknown-openbsd", "pc-windows-msvc", "pc-windows-gnu", "unknown-unknown"),
        *("apple-ios", "apple-ios9", "apple-watchos", "apple-darwin", "apple-none-macho"),
    ),
    "wasm32": ("unknown-unknown", "wasi", "wasip1", "wasip2", "unknown-emscripten"),
    "x86_64": (*ANYWHERE, *APPLE, "scei-ps4", "sie-ps5", "linux-gnux32", "linux-muslx32"),
}


def driver_texts() -> dict[Path, str]:
    """Return the text of the file of defaults. Raises `ToolMissing`."""
    tables = measure([triple for name in SPELLINGS for triple in triples(name)])
    source = {"tool": CLANG, "command": COMMAND}
    return {FILE: f"{document_text({'version': VERSION, 'source': source, **tables})}\n"}


def measure(asked: Sequence[str]) -> dict[str, Any]:
    """Return the features and the conventions that clang has beyond the baseline, by triple.

    Of versions of a system, the most. Raises `ToolMissing`.
    """
    with ThreadPoolExecutor(cpu_count()) as pool:
        answers = list(pool.map(surplus, asked))
    features = defaultdict[str, set[str]](set)
    conventions: dict[str, str] = {}
    for triple, (added, convention_name) in zip(asked, answers, strict=True):
        key = triple_key(_processor(triple))
        features[key] |= added
        if convention_name:
            conventions[key] = convention_name
    lists = {key: sorted(names) for key, names in sorted(features.items()) if names}
    return {"features": lists, "conventions": dict(sorted(conventions.items()))}


def triples(architecture: str) -> Iterator[str]:
    """Yield the triples that clang is asked about."""
    for spelling in SPELLINGS[architecture]:
        for system in SYSTEMS.get(architecture, ANYWHERE):
            yield f"{spelling}-{system}"


def surplus(triple: str) -> tuple[frozenset[str], str]:
    """Return what clang uses beyond LLVM's baseline, and its convention if it is another one."""
    processor = _processor(triple)
    table, baseline = processor.instruction_set, processor.features()
    if table is None or baseline is None:
        raise ValueError(f"Expected a triple with a table: {triple}.")
    switched_on = {text[1:] for text in _features(triple) if text.startswith("+")}
    used = {
        name
        for each in switched_on & table.implied.keys()
        for name in table.implied[each]
        if table.class_of(name) is not FeatureClass.IGNORED
    }
    abi = _abi(triple) if processor.architecture in BY_FEATURES else ""
    return frozenset(used) - baseline - table.modes - SAME, "" if abi == convention(
        processor
    ) else abi


def _processor(triple: str) -> Processor:
    return Processor.from_leaf("", {"kind": "llvm", "mtriple": triple}, shipped_tables())


def _features(triple: str) -> list[str]:
    """Return the features that clang switches; none where it compiles nothing for a triple."""
    return switches_in(*_options(triple), "-S")


def _abi(triple: str) -> str:
    match = ABI.search(run_clang(*_options(triple), "-###", "-c").stderr)
    return match[1] if match else ""


def _options(triple: str) -> tuple[str, ...]:
    return f"--target={triple}", "-w", "-x", "c", "-"
