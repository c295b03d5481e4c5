"""Lints for LLVM triples."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.errors import Fault, echo
from registry.domain.kinds.kinds import Kinds
from registry.domain.lints.facts import LintFacts
from registry.domain.names.near_names import nearest_names
from ttag_rules import triple_names
from ttag_rules.nodes import Node
from ttag_rules.pointer import child
from ttag_rules.triple_normalization import misplaced_components, normalize
from ttag_rules.triples import UNSPECIFIED

OPTION = "mtriple"
SYSTEMS_AND_ENVIRONMENTS = frozenset({*triple_names.SYSTEMS, *triple_names.ENVIRONMENTS})
MIN_TYPO = 5  # letters; shorter names resemble too many others to be typing errors

# A common triple of each architecture, to suggest where none is stated.
COMMON = {
    "aarch64": "aarch64-unknown-linux-gnu",
    "arm": "armv7-unknown-linux-gnueabihf",
    "hexagon": "hexagon-unknown-linux-musl",
    "loongarch64": "loongarch64-unknown-linux-gnu",
    "mips64": "mips64-unknown-linux-gnuabi64",
    "powerpc64le": "powerpc64le-unknown-linux-gnu",
    "riscv64": "riscv64-unknown-linux-gnu",
    "systemz": "s390x-unknown-linux-gnu",
    "wasm32": "wasm32-unknown-unknown-wasm",
    "x86_64": "x86_64-unknown-linux-gnu",
}
APPLE_SYSTEMS = (
    *("bridgeos", "darwin", "driverkit", "ios", "macos", "tvos", "visionos", "watchos", "xros"),
)


def missing_triple(node: Node, _kinds: Kinds, facts: LintFacts) -> Iterator[Fault]:
    """Warn of an llvm leaf without a triple."""
    if node.kind == "llvm" and OPTION not in node.value:
        owners = facts.owners(facts.cpus, node.value.get("mcpu", ""))
        yield Fault(
            node.pointer,
            "TRIPLE_MISSING",
            "without mtriple, TVM takes the triple of the machine that it runs on",
            "mtriple: architecture, vendor, system and environment",
            suggestions=tuple(COMMON[owner] for owner in owners if owner in COMMON)[:3],
        )


def unknown_components(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of the components of a triple that LLVM does not know.

    The name of a vendor may be any, as those of distributions are, unless it looks misspelt.
    """
    triple = node.value.get(OPTION)
    if not triple:
        return
    for component, known in _unknown(triple.split("-")):
        near = nearest_names(component, known)
        yield Fault(
            child(node.pointer, OPTION),
            "TRIPLE_UNKNOWN",
            f"LLVM 22 does not know {echo(component)} in the triple {echo(triple)}",
            "components of triples by LLVM's names",
            echo(component),
            tuple(_with(triple, component, name) for name in near),
        )


def misplaced_parts(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of a system or an environment that LLVM finds only by normalizing the triple."""
    triple = node.value.get(OPTION)
    if triple and (parts := misplaced_components(triple)):
        yield Fault(
            child(node.pointer, OPTION),
            "TRIPLE_MISREAD",
            f"TVM and IREE, which do not normalize triples, read {echo(triple)} without "
            f"{' and '.join(map(echo, parts))}; formats state the normal form",
            "architecture, vendor, system and environment",
            echo(triple),
            (normalize(triple),),
        )


def other_spelling(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of `arm64` outside Apple's systems: TVM looks for the spelling `aarch64`."""
    triple = node.value.get(OPTION, "")
    processor, _, rest = triple.partition("-")
    parts = rest.split("-")
    is_apple = "apple" in parts or any(part.startswith(APPLE_SYSTEMS) for part in parts)
    if processor == "arm64" and not is_apple:
        yield Fault(
            child(node.pointer, OPTION),
            "TRIPLE_SPELLING",
            "arm64 is the spelling of Apple's systems; TVM compares with aarch64",
            "aarch64",
            processor,
            (_with(triple, processor, "aarch64"),),
        )


def _unknown(components: list[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the unknown components, each with the names that could be meant."""
    architecture, *others = components
    if not triple_names.is_architecture(architecture):
        yield architecture, triple_names.ARCHITECTURES
    has_system = any(_is_system(part) or part in UNSPECIFIED for part in others)
    for position, component in enumerate(others):
        if _is_known(component):
            continue
        meant = SYSTEMS_AND_ENVIRONMENTS
        if position == 0:
            meant |= triple_names.VENDORS | UNSPECIFIED
        if position == 0 and has_system and not _looks_misspelt(component, meant):
            continue
        yield component, meant


def _is_known(component: str) -> bool:
    return (
        component in UNSPECIFIED
        or triple_names.is_vendor(component)
        or _is_system(component)
        or triple_names.is_environment(component)
        or bool(triple_names.file_format(component))
    )


def _is_system(component: str) -> bool:
    return triple_names.is_system(component) or triple_names.is_windows_toolchain(component)


def _looks_misspelt(component: str, known: frozenset[str]) -> bool:
    long_names = [name for name in known if len(name) >= MIN_TYPO]
    return len(component) >= MIN_TYPO and bool(nearest_names(component, long_names))


def _with(triple: str, component: str, name: str) -> str:
    return "-".join(name if part == component else part for part in triple.split("-"))
