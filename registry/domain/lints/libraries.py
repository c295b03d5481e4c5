"""Lints for libraries of kernels and for external code generators."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.errors import Fault, echo
from registry.domain.kinds.kinds import FLOW, Kinds
from registry.domain.lints.facts import LintFacts
from registry.domain.names.near_names import nearest_names
from ttag_rules.nodes import Node, nodes
from ttag_rules.pointer import child

BYOC = "byoc"
EXTERNAL_DEVICE = "ext_dev"  # whatever an external code generator generates code for


def unknown_libraries(node: Node, _kinds: Kinds, facts: LintFacts) -> Iterator[Fault]:
    """Warn of libraries that TVM does not call from the kind.

    A composite's libraries are compared with those of all its devices; what an external code
    generator links is its own affair.
    """
    if node.kind == BYOC or "libs" not in node.value:
        return
    kinds = {device.kind for device in _devices(node)}
    known = frozenset[str]().union(*(facts.libraries.get(kind, frozenset()) for kind in kinds))
    for index, library in enumerate(node.value["libs"]):
        if library in known:
            continue
        owners = [kind for kind, names in facts.libraries.items() if library in names]
        elsewhere = f", only from {', '.join(owners)}" if owners else ""
        yield Fault(
            child(child(node.pointer, "libs"), index),
            "LIBRARY_UNKNOWN",
            f"TVM does not call {echo(library)} from {', '.join(sorted(kinds))}{elsewhere}",
            f"one of {', '.join(sorted(known))}" if known else "no libs",
            echo(library),
            nearest_names(library, known),
        )


def unknown_codegens(node: Node, _kinds: Kinds, facts: LintFacts) -> Iterator[Fault]:
    """Warn of external code generators that TVM does not have, or has for other kinds."""
    if node.kind == BYOC:
        devices = {device.kind for device in _devices(node)}
        yield from _codegen(node.value["codegen"], child(node.pointer, "codegen"), facts, devices)
    flow = node.value.get(FLOW)
    names = flow.get("enable-byoc", ()) if isinstance(flow, dict) else ()
    for index, name in enumerate(names):
        pointer = child(child(child(node.pointer, FLOW), "enable-byoc"), index)
        yield from _codegen(name, pointer, facts, None)


def _codegen(name: str, pointer: str, facts: LintFacts, kinds: set[str] | None) -> Iterator[Fault]:
    """Yield a lint for a code generator that works with none of the devices' kinds."""
    if name not in facts.codegens:
        yield Fault(
            pointer,
            "CODEGEN_UNKNOWN",
            f"no release of TVM has an external code generator {echo(name)}",
            "the name of an external code generator",
            echo(name),
            nearest_names(name, facts.codegens),
        )
    elif kinds is not None and not kinds & (facts.codegens[name] | {EXTERNAL_DEVICE}):
        yield Fault(
            pointer,
            "CODEGEN_FOREIGN",
            f"{echo(name)} does not generate code for {', '.join(sorted(kinds))}",
            f"a device of kind {' or '.join(sorted(facts.codegens[name]))}",
            echo(name),
            tuple(sorted(other for other, fit in facts.codegens.items() if kinds & fit))[:3],
        )


def _devices(node: Node) -> Iterator[Node]:
    """Yield the leaves that a node generates code for, without hosts."""
    for leaf in nodes(node.value):
        is_for_host = leaf.is_host or any(outer.is_host for outer in leaf.enclosing)
        if leaf.is_leaf and not is_for_host:
            yield leaf
