"""The `cmake` format: a toolchain file with the system, clang's flags and CUDA architectures.

It sets a compiler only if none has been chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from registry.domain.errors import Code, Refused, echo
from registry.domain.exporting import Export, Format, Subject
from registry.domain.names.near_names import nearest_names
from registry.domain.toolchains.clang_flags import ClangFlags, clang_flags
from registry.domain.toolchains.flags import flag_losses, shell_line
from ttag_rules.closed_nodes import effective_host
from ttag_rules.compatibility.devices.architectures import Architecture
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import HOST, Node, nodes
from ttag_rules.pointer import child, natural_key
from ttag_rules.triples import Triple

# CMake's platforms by the system of a triple; Generic stands for no system.
GENERIC = "Generic"
SYSTEMS: Mapping[str, str] = TABLES["cmake"]["systems"]
# CMake finds the compiler of Android's NDK, and chooses its target by processor and API level;
# these are the processors whose names differ from those in triples.
ANDROID = "android"
ANDROID_PROCESSORS: Mapping[str, str] = TABLES["cmake"]["android_processors"]

# Numbers of GPUs whose code is for these GPUs, or this family, only.
SPECIFIC_CUDA = re.compile(TABLES["cmake"]["specific_cuda"])

# A chosen compiler is in the cache, or in the environment, which CMake reads after this file.
CLANG: str = TABLES["texts"]["cmake"]["items"]["compilers"]
# There may be nothing to link programs with.
LIBRARY_ONLY: str = TABLES["texts"]["cmake"]["items"]["generic"]
LANGUAGES = ("C", "CXX", "ASM")  # assembly is for the compiler of C

SPECIAL = re.compile(r"[\\\"$@\r]")


def write(subject: Subject) -> Export:
    """Write the flags of the target's CPU, or its host's, and of CUDA devices built with it.

    Raises `Refused` (FORMAT_UNFIT) if neither is stated, or CMake does not know the system.
    """
    gpus = [node for node in nodes(subject.target) if node.kind == "cuda" and "arch" in node.value]
    flags = _flags(subject, gpus)
    if flags:
        gpus = [node for node in gpus if effective_host(node) == flags.node.value]
    described, reasons = list(gpus), {}
    written = {child(node.pointer, name) for node in gpus for name in ("kind", "arch")}
    lines = [f"# CMake toolchain file of {' '.join(subject.reference.splitlines())}"]
    if flags:
        lines += _cpu_lines(flags)
        described, reasons = [*gpus, flags.node], flags.reasons
        written |= flags.written
    if gpus:
        arches = _cuda_architectures(node.value["arch"] for node in gpus)
        lines.append(_set("CMAKE_CUDA_ARCHITECTURES", ";".join(sorted(arches, key=natural_key))))
    return Export("\n".join(lines) + "\n", flag_losses(subject, described, written, reasons))


def _flags(subject: Subject, gpus: list[Node]) -> ClangFlags | None:
    """Return the flags for the CPU; None if there are only CUDA devices, built on their own host.

    CUDA devices of inner machines with hosts of their own are not enough, nor are those beside a
    CPU that clang rejects: its refusal has faults.
    """
    try:
        return clang_flags(subject)
    except Refused as refusal:
        has_other_hosts = HOST not in subject.target and any(map(effective_host, gpus))
        if not gpus or has_other_hosts or refusal.faults:
            raise
        return None


# Decision 165: nvcc takes code for sm_100f in the place of that for sm_100, and not both.
def _cuda_architectures(arches: Iterable[str]) -> set[str]:
    """Return CMake's architectures for GPUs.

    Code for sm_90a runs on no later GPU, also as PTX: so PTX for the plain sm_90 goes with it.
    """
    names = {str(Architecture.parse(arch) or arch).removeprefix("sm_") for arch in arches}
    plain = {name for name in names if f"{name}f" not in names and not _specific(name)}
    specific = {name: number for name in names if (number := _specific(name))}
    return {
        *plain,
        *(f"{name}-real" for name in specific),
        *(f"{number}-virtual" for number in specific.values()),
    }


def _specific(name: str) -> str:
    """Return the number of an architecture that is for its GPU, or family, only; else nothing."""
    match = SPECIFIC_CUDA.fullmatch(name)
    return match[1] if match else ""


def _cpu_lines(flags: ClangFlags) -> Iterator[str]:
    triple = Triple.parse(flags.triple)
    is_android = triple.libc == ANDROID
    if is_android:
        yield from _android_lines(triple)
    elif flags.triple:
        yield from _system_lines(triple)
    if not is_android:
        yield CLANG
    for language in LANGUAGES:
        if flags.triple and not is_android:
            yield _set(f"CMAKE_{language}_COMPILER_TARGET", flags.triple)
        if flags.words:
            yield _set(f"CMAKE_{language}_FLAGS_INIT", shell_line(flags.words))


def _system_lines(triple: Triple) -> Iterator[str]:
    if triple.os not in SYSTEMS:
        raise Refused(
            Code.FORMAT_UNFIT,
            f"CMake has no platform for the system {echo(triple.os)} of the mtriple; expected "
            f"one of: {', '.join(name for name in SYSTEMS if name)}.",
            suggestions=nearest_names(triple.os, filter(None, SYSTEMS)),
        )
    yield _set("CMAKE_SYSTEM_NAME", SYSTEMS[triple.os])
    yield _set("CMAKE_SYSTEM_PROCESSOR", triple.processor)
    if SYSTEMS[triple.os] == GENERIC:
        yield LIBRARY_ONLY


def _android_lines(triple: Triple) -> Iterator[str]:
    yield _set("CMAKE_SYSTEM_NAME", "Android")
    yield _set("CMAKE_SYSTEM_PROCESSOR", ANDROID_PROCESSORS.get(triple.arch, triple.arch))
    if level := re.search(r"[0-9]+$", triple.environment):
        yield _set("CMAKE_SYSTEM_VERSION", level[0])


def _set(name: str, value: str) -> str:
    """Return a command that sets a variable to a value without expanding anything in it.

    CMake reads a carriage return and line break as a line break only, so the former is escaped.
    """
    quoted = SPECIAL.sub(r"\\\g<0>", value).replace("\r", "r")
    return f'set({name} "{quoted}")'


FORMAT = Format(
    name="cmake",
    media_type="text/x-cmake",
    summary="A CMake toolchain file: system, clang's flags for the CPU, CUDA architectures.",
    write=write,
)
