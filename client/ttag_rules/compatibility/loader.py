"""Whether a machine's system loads a program, and calls its libraries as it expects."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ttag_rules.compatibility.conventions import convention, is_stated
from ttag_rules.compatibility.driver_defaults import surplus_of
from ttag_rules.compatibility.options import Compiler, Options
from ttag_rules.compatibility.processors import Pair, Processor
from ttag_rules.compatibility.systems import (
    NAMES,
    WINDOWS,
    file_format_of,
    floors,
    system,
)
from ttag_rules.compatibility.verdicts import Answer, Condition, Dimension, Finding
from ttag_rules.compatibility.versions import version_key

ARM64E, ARM64EC = "arm64e", "arm64ec"  # conventions that the architecture of a triple names
LIBRARIES = {"gnu": "glibc", "musl": "musl", "android": "Android's C library"}
TRIPLE, MABI, SOURCE = "mtriple", "mabi", "c"

Reply = tuple[Answer, str]


def loader_findings(pair: Pair, options: Options) -> Iterator[Finding]:
    """Yield whether a machine loads code; with floors, if the code states versions."""
    answer, reason = _answer(pair.code, pair.machine, options.compiler)
    yield pair.finding(Dimension.LOADER, answer, reason, TRIPLE)
    if answer is Answer.YES:
        yield from _floors(pair)


def _answer(code: Processor, machine: Processor, compiler: Compiler | None) -> Reply:
    """Return the worst answer; of equal ones the first, from the architecture to the convention."""
    conventions = partial(_convention, compiler=compiler)
    comparisons = (_architecture, _system, _object_format, _library, conventions)
    replies = [reply for compare in comparisons if (reply := compare(code, machine))]
    text = "Architecture, system, C library and calling convention are the same."
    noes = [reply for reply in replies if reply[0] is Answer.NO]
    return next(iter(noes or replies), (Answer.YES, text))


def _architecture(code: Processor, machine: Processor) -> Reply | None:
    built, has = code.architecture, machine.architecture
    if code.kind == machine.kind == SOURCE and built == has:
        return None
    for side, processor in (("code", code), ("machine", machine)):
        if not _is_certain(processor, built, has):
            return Answer.UNKNOWN, f"The {side} states no architecture: it has no triple."
    if built != has:
        return Answer.NO, f"The code is for {built}, and the machine is {has}."
    for name in (ARM64E, ARM64EC):
        if code.triple.processor == name and machine.triple.processor != name:
            return Answer.NO, f"The code has the calling convention {name}, the machine has not."
    return None


def _is_certain(processor: Processor, *architectures: str) -> bool:
    """Return whether a leaf states its architecture; C source has no triple to state it."""
    if processor.is_host_dependent:
        return False
    return bool(processor.triple.arch) or (processor.kind == SOURCE and all(architectures))


def _system(code: Processor, machine: Processor) -> Reply | None:
    built, has = system(code), system(machine)
    if built == has:
        return None
    if not (built and has):
        return Answer.UNKNOWN, f"The {_silent(built)} states no operating system."
    names = [NAMES.get(name, name) for name in (built, has)]
    return Answer.NO, f"The code is for {names[0]}, and the machine has {names[1]}."


def _object_format(code: Processor, machine: Processor) -> Reply | None:
    built, has = file_format_of(code), file_format_of(machine)
    if built == has or not (system(code) and system(machine)):
        return None
    return Answer.NO, f"The code is in files of the format {built}, and the machine loads {has}."


def _library(code: Processor, machine: Processor) -> Reply | None:
    built, has = code.triple.libc, machine.triple.libc
    if built == has or WINDOWS in (system(code), system(machine)):
        return None  # Windows' C libraries come with it or with the program
    if not (built and has):
        return Answer.UNKNOWN, f"The {_silent(built)} states no C library."
    names = [LIBRARIES.get(name, name) for name in (built, has)]
    return Answer.NO, f"The code is linked with {names[0]}, and the machine has {names[1]}."


def _silent(built: str) -> str:
    """Return the side that states nothing: the code, unless it does."""
    return "machine" if built else "code"


def _convention(
    code: Processor, machine: Processor, compiler: Compiler | None = None
) -> Reply | None:
    built, has = convention(code), convention(machine)
    if code.architecture != machine.architecture:
        return None
    of_clang = "" if MABI in code.options else surplus_of(code, compiler).mabi
    if of_clang and compiler is Compiler.CLANG:
        built = of_clang
    if of_clang not in ("", built) and (has in (built, of_clang) or not is_stated(machine)):
        text = f"LLVM's is {built}, and clang's {of_clang}"
        return Answer.UNKNOWN, f"The code states no calling convention: {text}."
    if built == has:
        return None
    if not is_stated(machine):
        return Answer.UNKNOWN, f"The code has the calling convention {built}, the machine none."
    names = [name or "the usual one" for name in (built, has)]
    text = f"The code has the calling convention {names[0]}, and the machine {names[1]}."
    return Answer.NO, text


def _floors(pair: Pair) -> Iterator[Finding]:
    """Yield the least versions of the system and its C library, as far as the code states them."""
    present = dict(floors(pair.machine))
    for name, least in floors(pair.code):
        text = f"The code needs {name} {least} or later"
        has = present.get(name, "")
        if not has:
            conditions = (Condition("system", name, least),)
            yield pair.finding(Dimension.FLOOR, Answer.CONDITIONAL, f"{text}.", TRIPLE, conditions)
        elif version_key(has) < version_key(least):
            text = f"{text}, and the machine has {has}."
            yield pair.finding(Dimension.FLOOR, Answer.NO, text, TRIPLE)
        else:
            yield pair.finding(Dimension.FLOOR, Answer.YES, f"{text}.", TRIPLE)
