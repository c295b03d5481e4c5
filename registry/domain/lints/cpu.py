"""Lints for processors: their names, features and number of cores."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.errors import Fault, echo
from registry.domain.kinds.kinds import Kinds
from registry.domain.lints.facts import LintFacts, processor_option, stated_features
from registry.domain.names.near_names import nearest_names
from ttag_rules.nodes import Node
from ttag_rules.pointer import child

WITH_PROCESSORS = frozenset({"llvm", "hexagon", "cuda", "nvptx", "rocm"})
GENERIC = {"riscv32": "generic-rv32", "riscv64": "generic-rv64"}  # where it is not just generic
WITH_FEATURES = frozenset({"llvm", "hexagon", "rocm"})


def unknown_processor(node: Node, _kinds: Kinds, facts: LintFacts) -> Iterator[Fault]:
    """Warn of a processor that LLVM does not know for the architecture."""
    name = processor_option(node)
    processor, architecture = node.value.get(name), facts.architecture(node)
    known = facts.cpus.get(architecture)
    if node.kind not in WITH_PROCESSORS or not processor or not known or processor in known:
        return
    yield Fault(
        child(node.pointer, name),
        "MCPU_UNKNOWN" if name == "mcpu" else "ARCH_UNKNOWN",
        f"LLVM 22 does not know the processor {echo(processor)} for {architecture}"
        f"{_owned_elsewhere(facts.owners(facts.cpus, processor))}",
        "a processor by LLVM's name",
        echo(processor),
        nearest_names(processor, known),
    )


def missing_cpu(node: Node, _kinds: Kinds, facts: LintFacts) -> Iterator[Fault]:
    """Warn of an llvm leaf whose triple comes without a processor."""
    if node.kind != "llvm" or "mtriple" not in node.value or "mcpu" in node.value:
        return
    architecture = facts.architecture(node)
    generic = GENERIC.get(architecture, "generic")
    yield Fault(
        node.pointer,
        "MCPU_MISSING",
        "without mcpu, LLVM generates code for the oldest processor of the architecture",
        "mcpu: the processor's name in LLVM, or generic",
        suggestions=(generic,) if generic in facts.cpus.get(architecture, ()) else (),
    )


def unknown_features(node: Node, _kinds: Kinds, facts: LintFacts) -> Iterator[Fault]:
    """Warn of features that LLVM does not know, or knows for another architecture only."""
    architecture = facts.architecture(node)
    known = facts.features.get(architecture)
    if node.kind not in WITH_FEATURES or not known:
        return
    for index, feature in stated_features(node):
        if feature in known:
            continue
        owners = facts.owners(facts.features, feature)
        yield Fault(
            child(child(node.pointer, "mattr"), index),
            "MATTR_FOREIGN" if owners else "MATTR_UNKNOWN",
            f"LLVM 22 does not know the feature {echo(feature)} for {architecture}"
            f"{_owned_elsewhere(owners)}",
            "a feature by LLVM's name",
            echo(feature),
            nearest_names(feature, known),
        )


def missing_core_count(node: Node) -> Iterator[Fault]:
    """Warn of an llvm leaf without the number of cores that the tuner divides loops by."""
    if node.kind == "llvm" and "num-cores" not in node.value:
        yield Fault(
            node.pointer,
            "NUM_CORES_MISSING",
            "without num-cores, MetaSchedule refuses to tune for this CPU",
            "num-cores: the number of physical cores; or a tag that is a family",
        )


def _owned_elsewhere(owners: list[str]) -> str:
    return f", only for {', '.join(owners)}" if owners else ""
