"""Read commands and settings of Rust and Zig: `-Ctarget-cpu=`, `-Dtarget=`, `.cargo/config`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry.domain.identify.notations.triples import stated_triples, triple_builders
from registry.domain.identify.reading_builder import ReadingBuilder, matches_in, nothing
from registry.domain.identify.readings import Ignored, Reading

RUST = re.compile(
    r"target-cpu[ \t]{0,20}=|target-feature[ \t]{0,20}=|\b(?:cargo|rustc|rustup)\b|\bRUSTFLAGS\b"
)
ZIG = re.compile(r"\bzig (?:build|cc|c\+\+|run|test)|-Dtarget=")
RUST_CPU = re.compile(
    r"(?:\b|-C)target-cpu[ \t]{0,20}=[ \t]{0,20}[\"']?(?P<cpu>[\w.-]+)(?P<features>)"
)
ZIG_CPU = re.compile(r"(?:-Dcpu=|-mcpu[= ])(?P<cpu>\w+)(?P<features>(?:[+-]\w+)*)")
RUST_FEATURES = re.compile(
    r"(?:\b|-C)target-feature[ \t]{0,20}=[ \t]{0,20}[\"']?"
    r"(?P<features>[+-][\w.-]+(?:,[+-][\w.-]+)*)"
)
NATIVE = "says the machine that builds, whatever it is"
OPEN_CPUS = {"native": NATIVE, "baseline": "says the oldest processor of the architecture"}


def read(text: str) -> Iterator[Reading]:
    """Yield a machine for each triple; the processor is that of the only one, if several agree."""
    is_zig = bool(ZIG.search(text))
    if not is_zig and not RUST.search(text):
        return
    language = "Zig" if is_zig else "Rust"
    builders = triple_builders(text, stated_triples(text)[0], f"target of {language}")
    only = ReadingBuilder(text, f"flags of {language}")
    if len(builders) == 1:
        (only,) = builders.values()
    yield from _add_cpu(only, text, ZIG_CPU if is_zig else RUST_CPU)
    if match := RUST_FEATURES.search(text):
        _add_features(only, match["features"].split(","), match.span("features"))
    yield from (builder.reading() for builder in builders.values())
    if only.body and only not in builders.values():
        yield only.reading()


def _add_cpu(builder: ReadingBuilder, text: str, pattern: re.Pattern[str]) -> Iterator[Reading]:
    """Add the processor on which all flags agree; yield what they leave open."""
    matches = {match["cpu"]: match for match in matches_in(text, pattern)}
    for name in matches.keys() & OPEN_CPUS.keys():
        yield nothing(Ignored(name, OPEN_CPUS[name], *matches.pop(name).span("cpu")))
    for name, match in matches.items() if len(matches) == 1 else ():
        in_llvm = name.replace("_", "-") if pattern is ZIG_CPU else name  # as LLVM writes it
        builder.state("/kind", "llvm", match.span("cpu"), "inferred")
        builder.state(
            "/mcpu", in_llvm, match.span("cpu"), "text" if in_llvm == name else "inferred"
        )
        features = re.findall(r"[+-]\w+", match["features"])
        _add_features(builder, features, match.span("features"))


def _add_features(builder: ReadingBuilder, features: list[str], span: tuple[int, int]) -> None:
    if features:
        builder.state("/kind", "llvm", span, "inferred")
        builder.state("/mattr", features, span)
