"""Lints for executors, runtimes and kinds that do not work together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from registry.domain.errors import Fault
from registry.domain.kinds.kinds import EXECUTOR, RUNTIME, Kinds
from registry.domain.lints.facts import LintFacts
from ttag_rules.nodes import Node, nodes
from ttag_rules.pointer import child

CODE = "COMPONENTS_DISAGREE"
# Kinds that run on the processor that calls them; the C runtime can start no others.
ON_CPU = frozenset({"c", "cuda_host", "ext_dev", "llvm", "test"})
WITHOUT_CUDA_GRAPH = frozenset({"aot"})
WITHOUT_CRT = frozenset({"vm"})

# The release of TVM that removed a component with Relay, and what serves instead.
REMOVED = {
    (EXECUTOR, "graph"): ("0.20", "vm"),
    (RUNTIME, "crt"): ("0.20", "cpp"),
}


def removed_components(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of an executor or a runtime that TVM has no more."""
    for (role, word), (release, other) in REMOVED.items():
        if node.value.get(role, {}).get("kind") == word:
            yield Fault(
                child(child(node.pointer, role), "kind"),
                "REMOVED_IN",
                f"TVM {release} removed the {role} {word}",
                f"{role} {other}, or a TVM before {release}",
                word,
                (other,),
            )


def disagreeing_components(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of a runtime that can run neither the executor nor the devices of a node."""
    if EXECUTOR not in node.value and RUNTIME not in node.value:
        return
    executor, runtime = _word(node, EXECUTOR), _word(node, RUNTIME)
    pointer = child(node.pointer, RUNTIME if RUNTIME in node.value else EXECUTOR)
    if runtime == "crt" and executor in WITHOUT_CRT:
        yield _fault(pointer, "the C runtime has no virtual machine", "runtime cpp", runtime, "cpp")
    if runtime == "cuda-graph" and executor in WITHOUT_CUDA_GRAPH:
        yield _fault(
            pointer,
            f"a CUDA graph is recorded by the executor graph or vm, not by {executor}",
            "executor graph or vm",
            executor,
            "graph",
            "vm",
        )
    if RUNTIME not in node.value:
        return
    kinds = {leaf.kind for leaf in _served(node)}
    if runtime == "crt" and kinds - ON_CPU:
        names = ", ".join(sorted(kinds - ON_CPU))
        yield _fault(pointer, f"the C runtime cannot start {names}", "runtime cpp", runtime, "cpp")
    if runtime == "cuda-graph" and not kinds & {"cuda", "nvptx"}:
        yield _fault(
            pointer, "no device here runs CUDA graphs", "a device of kind cuda", runtime, "cpp"
        )


def contradicting_parts(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of a part with another executor than the node around it.

    A build of the whole has one executor, so such a part has to be built by itself.
    """
    outer = next((each for each in node.enclosing if EXECUTOR in each.value), None)
    if EXECUTOR not in node.value or outer is None:
        return
    own, around = _word(node, EXECUTOR), _word(outer, EXECUTOR)
    if own != around:
        yield _fault(
            child(child(node.pointer, EXECUTOR), "kind"),
            f"{outer.pointer or 'the root'} around it has the executor {around}, and one build has "
            "only one: this part has to be built by itself",
            f"{around}, or no executor",
            own,
            around,
        )


def _fault(pointer: str, message: str, expected: str, found: str, *near: str) -> Fault:
    return Fault(pointer, CODE, message, expected, found, near)


def _word(node: Node, role: str) -> str:
    """Return the executor or runtime that a node states, or the nearest node around it."""
    component: dict[str, Any] = node.nearest(role) or {}
    return str(component.get("kind", ""))


def _served(node: Node) -> Iterator[Node]:
    """Yield the devices below a node, without hosts and those with another runtime."""
    for leaf in nodes(node.value):
        path = (leaf, *leaf.enclosing)[:-1]  # without the node itself
        if leaf.is_leaf and not any(part.is_host or RUNTIME in part.value for part in path):
            yield leaf
