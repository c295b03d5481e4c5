"""Whether a machine's system loads a program, and calls its libraries as it expects."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.compatibility.processors import BARE, Pair, Processor
from registry.domain.compatibility.verdicts import Answer, Condition, Dimension, Finding

APPLE = frozenset({"macos", "darwin"})  # two names of one system
WINDOWS = "windows"  # its C libraries come with it or with the program
ARM64E, ARM64EC = "arm64e", "arm64ec"  # conventions that the architecture of a triple names
SYSTEMS = {"macos": "macOS", "darwin": "macOS", "ios": "iOS", "linux": "Linux"}
SYSTEMS |= {"windows": "Windows", BARE: "no operating system"}
LIBRARIES = {"gnu": "glibc", "musl": "musl", "android": "Android's C library"}
TRIPLE = "mtriple"


def loader_findings(pair: Pair) -> Iterator[Finding]:
    """Yield whether a machine loads code; with a floor, if the code states a system's version."""
    answer, reason = _answer(pair.code, pair.machine)
    yield pair.finding(Dimension.LOADER, answer, reason, TRIPLE)
    if answer is Answer.YES:
        yield from _floor(pair)


def _answer(code: Processor, machine: Processor) -> tuple[Answer, str]:
    """Return the first answer that is not yes, from the architecture to the convention."""
    for compare in (_architecture, _system, _library, _convention):
        if result := compare(code, machine):
            return result
    return Answer.YES, "Architecture, system, C library and calling convention are the same."


def _architecture(code: Processor, machine: Processor) -> tuple[Answer, str] | None:
    built, has = code.triple.arch, machine.triple.arch
    if code.kind == machine.kind == "c" and not (built or has):
        return None  # C is compiled for the machine, whatever its architecture is
    if not (built and has):
        side = "machine" if built else "code"
        return Answer.UNKNOWN, f"The {side} states no architecture: it has no triple."
    if built != has:
        return Answer.NO, f"The code is for {built}, and the machine is {has}."
    for name in (ARM64E, ARM64EC):
        if code.triple.processor == name and machine.triple.processor != name:
            return Answer.NO, f"The code has the calling convention {name}, the machine has not."
    return None


def _system(code: Processor, machine: Processor) -> tuple[Answer, str] | None:
    built, has = code.system, machine.system
    if built == has or {built, has} <= APPLE:
        return None
    if not built:
        return Answer.UNKNOWN, "The code states no operating system."
    if not has:
        return Answer.UNKNOWN, "The machine states no operating system."
    names = [SYSTEMS.get(name, name) for name in (built, has)]
    return Answer.NO, f"The code is for {names[0]}, and the machine has {names[1]}."


def _library(code: Processor, machine: Processor) -> tuple[Answer, str] | None:
    built, has = code.triple.libc, machine.triple.libc
    if built == has or WINDOWS in (code.system, machine.system):
        return None
    if not (built and has):
        side = "machine" if built else "code"
        return Answer.UNKNOWN, f"The {side} states no C library."
    names = [LIBRARIES.get(name, name) for name in (built, has)]
    return Answer.NO, f"The code is linked with {names[0]}, and the machine has {names[1]}."


def _convention(code: Processor, machine: Processor) -> tuple[Answer, str] | None:
    built, has = code.convention, machine.convention
    if built == has:
        return None
    names = [name or "the usual one" for name in (built, has)]
    text = f"The code has the calling convention {names[0]}, and the machine {names[1]}."
    return Answer.NO, text


def _floor(pair: Pair) -> Iterator[Finding]:
    """Yield the least version of the system, if the code states one."""
    name, least = pair.code.system_version
    if not least:
        return
    has_name, has = pair.machine.system_version
    text = f"The code needs {name} {least} or later"
    if has_name != name:
        conditions = (Condition("system", name, least),)
        yield pair.finding(Dimension.FLOOR, Answer.CONDITIONAL, f"{text}.", TRIPLE, conditions)
    elif version_key(has) < version_key(least):
        text = f"{text}, and the machine has {has}."
        yield pair.finding(Dimension.FLOOR, Answer.NO, text, TRIPLE)
    else:
        yield pair.finding(Dimension.FLOOR, Answer.YES, f"{text}.", TRIPLE)


def version_key(version: str) -> tuple[int, ...]:
    """Return numbers that compare as versions do: 12.10 is later than 12.9."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())
