"""The GPU that a command line of nvcc, hipcc or clang states."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry.domain.compile_commands.options import CODE, GENCODE, OFFLOAD, Options
from registry.domain.compile_commands.words import Word
from registry.domain.errors import echo

GPU_ARCH = "arch"  # of nvcc
REAL = re.compile(r"sm_[0-9]+[af]?")
VIRTUAL = re.compile(r"(?:compute|lto)_[0-9]+[af]?")
AMD = re.compile(r"gfx[0-9a-f]+(?::[a-z]+[+-])*")
WHOLE = re.compile(r"arch=(?P<arch>[^,]+),code=(?P<code>.+)")


def read_gpu(options: Options) -> dict[str, str]:
    """Return the kind and processor of the only GPU; nothing if none is stated.

    Raises `CommandError` for several GPUs, for none in particular, and for an architecture without
    machine code.
    """
    words = list(_architectures(options))
    real = [word for word in words if REAL.fullmatch(word.text) or AMD.fullmatch(word.text)]
    for word in words:
        is_virtual = VIRTUAL.fullmatch(word.text)
        if word not in real and not is_virtual:
            message = f"{echo(word.text)} is not the architecture of a GPU"
            raise options.error("OPTION_INVALID", message, word, "such as sm_80 or gfx90a")
        if is_virtual and not any(_number(each) == _number(word) for each in real):
            message = f"{echo(word.text)} is code that each GPU compiles for itself"
            raise options.error("OPTION_INVALID", message, word, "a GPU such as sm_80")
    for word in real[1:]:
        if word.text != real[0].text:
            message = f"{echo(real[0].text)} and {echo(word.text)} are different targets"
            raise options.error("TWO_TARGETS", message, word, "one of them; publish two tags")
    if not real:
        return {}
    name = real[0].text
    return {"kind": "cuda", "arch": name} if name.startswith("sm") else _rocm(name)


def _rocm(name: str) -> dict[str, str]:
    return {"kind": "rocm", "mcpu": name}  # with features, as the importer of TVM splits them


def _number(word: Word) -> str:
    return word.text.partition("_")[2]


def _architectures(options: Options) -> Iterator[Word]:
    """Yield what machine code is asked for, with code that is compiled later."""
    for word in options.words(OFFLOAD):
        yield from _listed(word.text, word)
    for word in options.words(GENCODE):
        match = WHOLE.fullmatch(word.text)
        if not match:
            message = f"{echo(word.text)} does not state arch and code"
            raise options.error("OPTION_INVALID", message, word, "arch=compute_80,code=sm_80")
        yield from _listed(match["code"], word)
    codes = options.words(CODE)
    for word in codes or options.words(GPU_ARCH):
        yield from _listed(word.text, word)


def _listed(text: str, word: Word) -> Iterator[Word]:
    """Yield the items of a list such as `[sm_80,compute_80]` or `sm_80,sm_86`."""
    for item in text.strip("[]\\\"'").split(","):
        yield Word(item.strip("\\\"' "), word.offset)
