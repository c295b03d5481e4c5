"""Read targets of Rust and Zig, and triples that stand alone: `--target`, `-Ctarget-cpu=`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from registry.domain.identify.drafts import Draft, nothing
from registry.domain.identify.notations.compiler_flags import NATIVE
from registry.domain.identify.notations.triple_text import TRIPLE_TEXT, is_triple
from registry.domain.identify.readings import Ignored, Reading

FORM = "target triple"
MAX_TRIPLES = 64
TRIPLE = re.compile(rf"(?<![\w./+-])(?P<triple>{TRIPLE_TEXT})(?![\w/+-])")
CPU = re.compile(
    r"(?:-C\s*target-cpu=|-Dcpu=|\btarget-cpu\s*[=:]\s*[\"']?|\bcpu=)(?P<cpu>[A-Za-z0-9_.-]+)"
    r"(?P<zig>(?:[+-][a-z0-9_]+)*)"
)
FEATURES = re.compile(
    r"(?:-C\s*)?\btarget-feature[s]?=[\"']?(?P<features>[+-][\w.-]+(?:,[+-][\w.-]+)*)"
)
RISCV = re.compile(r"riscv(?P<bits>32|64)(?P<letters>gc?|[ie][mafdc]*)(?=-)")
VERSION_OF_LIBC = re.compile(r"(?<=gnu)\.[0-9.]+$")
# What Rust and Zig call systems, and LLVM's name.
SYSTEMS = {
    "-wasip1": "-wasi",
    "-wasip2": "-wasi",
    "-ios-sim": "-ios-simulator",
    "-macos-none": "-macos",
}
ZIG = re.compile(r"\bzig\b|-Dtarget=")
OPEN_CPUS = frozenset({"native", "baseline", "generic"})
# Words before a triple that speak of what can be built, not of what is.
LISTED = re.compile(r"(?:support|available|installed|unknown|valid|possible)\w*[^\n]{0,40}$", re.I)


def read(text: str) -> Iterator[Reading]:
    """Yield a reading for each triple that differs; a CPU belongs to a triple that stands alone."""
    triples = [match for match in islice(TRIPLE.finditer(text), MAX_TRIPLES) if _names(match)]
    listed = [match for match in triples if LISTED.search(text, _line_start(text, match), match.start())]
    if listed:
        yield nothing(*(_listed(match) for match in listed))
    drafts: dict[str, Draft] = {}
    for match in (match for match in triples if match not in listed):
        draft = drafts.setdefault(match["triple"], Draft(text, FORM))
        _state_triple(draft, match)
    only = next(iter(drafts.values())) if len(drafts) == 1 else Draft(text, "flags of Rust or Zig")
    yield from _add_cpu(only, text)
    if only.body and only not in drafts.values():
        drafts[""] = only
    yield from (draft.reading() for draft in drafts.values())


def _names(match: re.Match[str]) -> bool:
    name = match["triple"]
    return is_triple(_as_llvm(name)) and (name.count("-") > 1 or name.startswith("wasm"))


def _line_start(text: str, match: re.Match[str]) -> int:
    return text.rfind("\n", 0, match.start()) + 1


def _listed(match: re.Match[str]) -> Ignored:
    return Ignored(match[0], "is listed as possible, not as the machine", *match.span())


def _as_llvm(name: str) -> str:
    """Return a triple of Rust or Zig as LLVM spells it."""
    name = VERSION_OF_LIBC.sub("", name)
    for system, of_llvm in SYSTEMS.items():
        name = f"{name.removesuffix(system)}{of_llvm}" if name.endswith(system) else name
    return RISCV.sub(lambda match: f"riscv{match['bits']}", name)


def _state_triple(draft: Draft, match: re.Match[str]) -> None:
    """State a triple, and the extensions that Rust writes into those of RISC-V."""
    name, span = match["triple"], match.span("triple")
    triple = _as_llvm(name)
    draft.state("/kind", "llvm", span, "inferred")
    draft.state("/mtriple", triple, span, "text" if triple == name else "inferred")
    if isa := RISCV.match(name):
        letters = isa["letters"].replace("g", "imafd").removeprefix("i")
        if letters:
            draft.state("/mattr", [f"+{letter}" for letter in letters], span, "inferred")
        size = "lp64" if isa["bits"] == "64" else "ilp32"
        draft.state("/mabi", f"{size}{'d' if 'd' in letters else ''}", span, "inferred")


def _add_cpu(draft: Draft, text: str) -> Iterator[Reading]:
    """Add the only CPU and features that flags state; yield what was ignored."""
    cpus = {match["cpu"]: match for match in islice(CPU.finditer(text), MAX_TRIPLES)}
    for name in cpus.keys() & OPEN_CPUS:
        yield nothing(Ignored(name, NATIVE, *cpus[name].span("cpu")))
    named = [match for name, match in cpus.items() if name not in OPEN_CPUS]
    is_certain = [match for match in named if not match[0].startswith("cpu=") or ZIG.search(text)]
    for match in is_certain if len(is_certain) == 1 else ():
        is_zig = bool(ZIG.search(text))
        name = match["cpu"]
        if is_zig and not name.startswith("x86_64"):
            name = name.replace("_", "-")
        draft.state("/kind", "llvm", match.span("cpu"), "inferred")
        draft.state("/mcpu", name, match.span("cpu"), "text" if name == match["cpu"] else "inferred")
        if features := re.findall(r"[+-][a-z0-9_]+", match["zig"]):
            draft.state("/mattr", features, match.span("zig"))
    if match := FEATURES.search(text):
        draft.state("/kind", "llvm", match.span("features"), "inferred")
        draft.state("/mattr", match["features"].split(","), match.span("features"))
