"""Find the compile command in a text, and read its machine as a body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.compile_commands.cpu import CpuReader, of_features
from registry.domain.compile_commands.gpu import read_gpu
from registry.domain.compile_commands.options import MODE, TRIPLE, Options, parse_options
from registry.domain.compile_commands.words import EXPECTED, CommandError, Word, split_commands
from registry.domain.errors import Fault, echo
from ttag_rules.pointer import ROOT

COMPILER = re.compile(
    r"(?:.*/)?(?:(?P<triple>[a-z0-9_.]+(?:-[a-z0-9_]+){1,3})-)?"
    r"(?:clang(?:\+\+)?|gcc|g\+\+|c\+\+|cc|nvcc|hipcc|amdclang(?:\+\+)?|icx|armclang)"
    r"(?:-[0-9.]+)?(?:\.exe)?"
)
TARGET_FLAG = re.compile(r"--target=[a-z0-9_.]+(?:-[a-z0-9_.]+){1,4}")  # not one of TVM
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:[:+?]?=).*", re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")
ASSIGNED = ("=", ":=", "+=", "?=")
WRAPPERS = frozenset({"ccache", "sccache", "sudo", "time", "env", "export", "exec", "nice"})
# Flags that stand elsewhere: in files and variables, and what a command prints.
ELSEWHERE = re.compile(r"@(?!$)|--?(config|specs)\b|\$[({]?[A-Za-z]|`")
REPEATED_WORDS = 12  # words that a note repeats


@dataclass(frozen=True, slots=True)
class Machine:
    """A body for a command, with notes."""

    body: dict[str, Any]
    notes: tuple[str, ...]


def is_compile_command(text: str) -> bool:
    """Return whether a text begins with a compiler, or with a flag that names a machine."""
    return any(_is_compiler(words) for words in map(_command, split_commands(text)))


def read_command(text: str) -> Machine:
    """Return the machine of the compile command in a text. Raises `CommandError`.

    Commands of a text must state the same machine.
    """
    machines = [
        machine
        for words in split_commands(text)
        if _is_compiler(command := _command(words)) and (machine := _read(command, text))
    ]
    if not machines:
        raise CommandError(Fault(ROOT, "OPTION_MISSING", "no flag states a machine", EXPECTED))
    for machine in machines[1:]:
        if machine.body != machines[0].body:
            message = "the commands state two different targets"
            raise CommandError(Fault(ROOT, "TWO_TARGETS", message, "one of them"))
    return machines[0]


def _command(words: Sequence[Word]) -> list[Word]:
    """Return a command from its compiler on, or the flags that are assigned to a name."""
    rest = list(words)
    while rest:
        text = rest[0].text
        if len(rest) > 1 and NAME.fullmatch(text) and rest[1].text in ASSIGNED:
            rest = rest[2:]
        elif ASSIGNMENT.fullmatch(text) and not text.startswith("-"):
            name, _, value = text.partition("=")
            inner = [word for part in split_commands(value) for word in part]
            offset = rest[0].offset + len(name) + 1
            moved = [Word(word.text, word.offset + offset) for word in inner]
            rest = [*moved, *rest[1:]] if value.lstrip().startswith("-") else rest[1:]
        elif text in WRAPPERS:
            rest = rest[1:]
        else:
            break
    return rest


def _is_compiler(words: Sequence[Word]) -> bool:
    if not words:
        return False
    return bool(COMPILER.fullmatch(words[0].text)) or _names_machine(words[0])


def _names_machine(word: Word) -> bool:
    if TARGET_FLAG.fullmatch(word.text):
        return True
    prefixes = ("-march=", "-mcpu=", "-mtune=", "-mfpu=", "-mfloat-abi=")
    gpu = ("-gencode", "--offload-arch", "-arch=sm", "--cuda-gpu-arch", "-mabi=", "-m64", "-m32")
    return word.text.startswith((*prefixes, *gpu, "-O", "-mthumb", "-mavx", "-Xclang"))


def _read(words: Sequence[Word], text: str) -> Machine | None:
    match = COMPILER.fullmatch(words[0].text)
    options = parse_options(words[1:] if match else words, text)
    triple = _triple(options, (match and match["triple"]) or "")
    gpu: dict[str, Any] = dict(read_gpu(options))
    reader = CpuReader(options, triple)
    cpu = reader.read() if triple or of_features(options) or MODE in options else {}
    if not gpu and not cpu:
        return None
    body: dict[str, Any] = {"kind": "llvm", **cpu}
    if gpu:
        body = {**gpu, "host": body} if cpu else gpu
    return Machine(body, (*reader.notes, *_left_out(options)))


def _triple(options: Options, of_name: str) -> str:
    """Return the triple of --target, or else of the compiler's name."""
    word = options.value(TRIPLE)
    return word.text if word else of_name


def _left_out(options: Options) -> Iterator[str]:
    words = [word.text for word in options.others]
    for text in dict.fromkeys(word for word in words if ELSEWHERE.match(word)):
        yield f"{echo(text)} is not read, and may say more about the machine"
    words = [word for word in words if not ELSEWHERE.match(word)]
    if words:
        shown = " ".join(words[:REPEATED_WORDS]) + (" …" if len(words) > REPEATED_WORDS else "")
        yield f"left out, as a target does not state it: {echo(shown)}"
