"""Read flags of gcc, clang, nvcc, hipcc and LLVM's tools: in commands, Makefiles and variables.

The flags of a text describe one machine if they agree; else those of each line do.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Any

from registry.domain.compile_commands.cpu import CpuReader, of_features
from registry.domain.compile_commands.options import (
    ABI,
    ARCH,
    CPU,
    FEATURE,
    FEATURES_OF_X86,
    FLOAT_ABI,
    FPU,
    MODE,
    OFFLOAD,
    TRIPLE,
    Options,
)
from registry.domain.compile_commands.words import CommandError, Word
from registry.domain.identify.notations.gpu_architectures import gpu_readings
from registry.domain.identify.notations.rust_and_zig import NATIVE
from registry.domain.identify.notations.triple_text import TRIPLE_TEXT, is_triple
from registry.domain.identify.reading_builder import ReadingBuilder, Span, nothing
from registry.domain.identify.readings import Ignored, Reading, Stated

FORM = "compiler flags"
TUNE = "mtune"
GPU = r"(?:sm_|compute_|gfx)"
FLAG = re.compile(
    rf"""(?<![\w-])(?:
    -(?P<option>march|mcpu|mtune|mfpu|mfloat-abi|mabi)=(?P<value>[A-Za-z0-9_.+-]*[A-Za-z0-9_+])
    |(?:--?target|-mtriple|--triple)(?:=|\ +)["']?(?P<target>{TRIPLE_TEXT})(?![\w-])
    |(?P<mode>-mthumb|-marm)(?![\w=-])
    |-m(?P<x86>(?:no-)?[a-z0-9.-]*[a-z0-9])(?![\w=-])
    |-mattr=["']?(?P<features>[+-][\w.-]+(?:,[+-][\w.-]+)*)
    |-Xclang[ ]+-target-feature[ ]+-Xclang[ ]+(?P<feature>[+-][\w.-]+)
    |(?:-gencode|--?generate-code)(?:=|[ ]+)["'\\]*arch=\w+,code=["'\\]*\[?
        (?P<code>[a-z]+_?\w+(?:,[a-z]+_\w+)*)
    |(?:--offload-arch|--cuda-gpu-arch|--amdgpu-target|--gpu-architecture|--gpu-code|-arch|-code)
        (?:=|[ ]+)["'\[]*(?P<gpu>(?:{GPU}|native)[\w:+-]*(?:,{GPU}[\w:+-]*)*)
    )
    |(?<![\w./-])(?:/[\w./-]*/)?(?P<prefix>{TRIPLE_TEXT})-(?:gcc|g\+\+|clang(?:\+\+)?|cc|c\+\+)(?![\w-])
    |\bCROSS_COMPILE[ ]*[:?]?=[ ]*["']?(?P<cross>{TRIPLE_TEXT})-(?![\w])
    """,
    re.VERBOSE,
)
SINGLE = (TRIPLE, CPU, ARCH, FPU, FLOAT_ABI, ABI)  # options of which a machine has one value
VALUE = re.compile(r"[\w.-]+")
WITH_FEATURES = re.compile(r"[+]|^-|^armv|^rv[0-9]|^soft$|neon|vfp|fp-")
LINE_END = re.compile(r"(?<!\\)\n")  # a line that ends with a backslash goes on
MAX_FLAGS = 1000  # a log of a build has more, which are the same
Flag = tuple[str, Word]


def read(text: str) -> Iterator[Reading]:
    """Yield the machines of flags: one for each GPU, or for the CPU of each line that differs."""
    flags = list(islice(_flags(text), MAX_FLAGS))
    stated = [flag for flag in flags if not _is_ignored(flag)]
    ignored = tuple(_ignored(flag) for flag in flags if _is_ignored(flag))
    if ignored:
        yield nothing(*ignored)
    of_gpu = [word for option, word in stated if option == OFFLOAD]
    of_cpu = [flag for flag in stated if flag[0] != OFFLOAD]
    builders = [
        builder for group in _machines(text, of_cpu) for builder in _cpu_builders(text, group)
    ]
    gpus = list(gpu_readings(text, of_gpu, FORM))
    if gpus and len(builders) == 1 and builders[0].body:
        yield from gpu_readings(text, of_gpu, FORM, host=builders[0])
    else:
        yield from gpus
        yield from (builder.reading() for builder in builders)


def _flags(text: str) -> Iterator[Flag]:
    """Yield the flags with their values, in the order of the text."""
    for match in FLAG.finditer(text):
        kind = match.lastgroup or ""
        word = Word(match[kind], match.start(kind))
        if kind == "value":
            yield match["option"], word
        elif kind in ("target", "prefix", "cross"):
            if is_triple(word.text):
                yield TRIPLE, word
        elif kind == "mode":
            yield MODE, word
        elif kind == "x86":
            yield from _x86_feature(word)
        elif kind in ("features", "feature"):
            yield from ((FEATURE, each) for each in _listed(word))
        else:
            yield from ((OFFLOAD, each) for each in _listed(word))


def _x86_feature(word: Word) -> Iterator[Flag]:
    name = word.text.removeprefix("no-")
    if name in FEATURES_OF_X86:
        yield FEATURE, Word(f"{'+' if name == word.text else '-'}{name}", word.offset)


def _listed(word: Word) -> Iterator[Word]:
    for match in re.finditer(r"[^,]+", word.text):
        yield Word(match[0], word.offset + match.start())


def _is_ignored(flag: Flag) -> bool:
    option, word = flag
    return option == TUNE or word.text.partition("+")[0] in ("native", "host")


def _ignored(flag: Flag) -> Ignored:
    option, word = flag
    reason = "tunes code, and states no machine" if option == TUNE else NATIVE
    return Ignored(word.text, reason, *word.span)


def _machines(text: str, flags: Sequence[Flag]) -> Iterator[Options]:
    """Yield the options of each machine: of the whole text if they agree, else of each line."""
    whole = _options(text, flags)
    if all(len({word.text for word in whole.words(name)}) <= 1 for name in SINGLE):
        if flags:
            yield whole
        return
    line_ends = [match.start() for match in LINE_END.finditer(text)]
    for _, group in groupby(flags, key=lambda flag: bisect(line_ends, flag[1].offset)):
        yield _options(text, list(group))


def _options(text: str, flags: Sequence[Flag]) -> Options:
    options = Options(text)
    for name, word in flags:
        options.stated.setdefault(name, []).append(word)
    return options


def _cpu_builders(text: str, options: Options) -> Iterator[ReadingBuilder]:
    """Yield the machine of options; where they contradict each other, what was ignored."""
    if not of_features(options) or options.stated.keys() == {TRIPLE}:
        return  # a triple alone is read as it stands, by `triples`
    builder = ReadingBuilder(text, FORM)
    try:
        triple = options.value(TRIPLE)
        reader = CpuReader(options, triple.text if triple else "")
        body = reader.read()
        builder.notes += reader.notes
    except CommandError as error:
        body = _processor_alone(options) if error.fault.code == "OPTION_MISSING" else {}
        if not body:
            for word in (word for words in options.stated.values() for word in words):
                builder.ignore(_span(text, word), error.fault.message)
        builder.notes.append(error.fault.message)
    if body:
        _state(builder, body, options)
    yield builder


def _processor_alone(options: Options) -> dict[str, Any]:
    """Return what is certain although the calling convention is not stated."""
    cpu = options.words(CPU)
    name = cpu[0].text if cpu else ""
    return {CPU: name} if name and "+" not in name and "." not in name else {}


def _state(builder: ReadingBuilder, body: dict[str, Any], options: Options) -> None:
    """State each option with the flags that it comes from."""
    origins = {
        "mtriple": (TRIPLE, CPU, ARCH),
        CPU: (CPU, ARCH),
        "mattr": (ARCH, FEATURE, FPU, FLOAT_ABI, CPU),
        FLOAT_ABI: (FLOAT_ABI,),
        ABI: (ABI, ARCH),
    }
    words = [word for name in options.stated for word in options.words(name)]
    first = min(words, key=lambda word: word.offset)
    builder.state("/kind", "llvm", _span(builder.text, first), "inferred")
    for name, value in body.items():
        is_list = isinstance(value, list)
        for word in _origins(options, origins[name], is_list=is_list):
            is_text = word.text in value if is_list else word.text == value
            stated: Stated = "text" if is_text else "inferred"
            builder.state(f"/{name}", value, _span(builder.text, word), stated)


def _origins(options: Options, names: Sequence[str], *, is_list: bool) -> Sequence[Word]:
    """Return the flags of a value: for a list those with features, else the first one."""
    stated = [list(options.words(name)) for name in names if name in options]
    if is_list:
        return [word for words in stated for word in words if WITH_FEATURES.search(word.text)]
    return stated[0][:1] if stated else []


def _span(text: str, word: Word) -> Span:
    """Return the place of a value; that of the feature `-avx2` is `no-avx2` in the text."""
    if not text.startswith(word.text, word.offset) and (match := VALUE.match(text, word.offset)):
        return match.span()
    return word.span
