"""Recognise triples in text: words that begin with an architecture and name a system."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from registry.domain.compile_commands.words import Word
from registry.domain.identify.reading_builder import ReadingBuilder, Span
from ttag_rules.triple_names import is_architecture, is_environment, is_system, is_vendor

TRIPLE_TEXT = r"[a-z0-9_.]+(?:-[a-z0-9_.]+){1,4}"
TRIPLE = re.compile(
    rf"(?<![\w./+-])(?P<triple>{TRIPLE_TEXT}?)"
    r"(?=-(?:gcc|g\+\+|clang|cc|c\+\+|ld|ar)(?![\w-])|(?![\w/+-])(?!\.[a-z]))"
)
MAX_TRIPLES = 256  # words that look like triples; `rustc --print target-list` has 290
BARE = ("none", "unknown", "elf")  # as systems: no operating system
RISCV = re.compile(r"riscv(?P<bits>32|64)(?P<letters>gc?|[ie][mafdc]*)(?=-)")
VERSION_OF_LIBC = re.compile(r"(?<=gnu)\.[0-9.]+$")
SYSTEMS = {  # LLVM's name of what Rust and Zig call systems
    "-wasip1": "-wasi",
    "-wasip2": "-wasi",
    "-ios-sim": "-ios-simulator",
    "-macos-none": "-macos",
}


def is_triple(text: str) -> bool:
    """Return whether every component of a word is one of triples, the first an architecture."""
    architecture, *rest = text.split("-")
    known = all(
        is_system(name) or is_environment(name) or is_vendor(name) or name in BARE for name in rest
    )
    return known and is_architecture(architecture) and bool(rest)


def triples_in(text: str) -> Iterator[Word]:
    """Yield the triples of a text: of Rust, of Zig, of LLVM, or before the name of a compiler."""
    for match in islice(TRIPLE.finditer(text), MAX_TRIPLES):
        name = match["triple"].rstrip(".")
        has_system = name.count("-") > 1 or name.startswith("wasm")
        if has_system and is_triple(as_llvm(name)):
            yield Word(name, match.start())


def as_llvm(name: str) -> str:
    """Return a triple of Rust or Zig as LLVM spells it."""
    name = VERSION_OF_LIBC.sub("", name)
    for system, of_llvm in SYSTEMS.items():
        name = f"{name.removesuffix(system)}{of_llvm}" if name.endswith(system) else name
    return RISCV.sub(lambda match: f"riscv{match['bits']}", name)


def state_triple(builder: ReadingBuilder, name: str, span: Span) -> None:
    """State a triple, and the extensions that Rust writes into those of RISC-V."""
    triple = as_llvm(name)
    builder.state("/kind", "llvm", span, "inferred")
    builder.state("/mtriple", triple, span, "text" if triple == name else "inferred")
    if isa := RISCV.match(name):
        letters = isa["letters"].replace("g", "imafd").removeprefix("i")
        if letters:
            builder.state("/mattr", [f"+{letter}" for letter in letters], span, "inferred")
        size = "lp64" if isa["bits"] == "64" else "ilp32"
        builder.state("/mabi", f"{size}{'d' if 'd' in letters else ''}", span, "inferred")
