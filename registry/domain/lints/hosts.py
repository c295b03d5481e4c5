"""Lints for leaves that depend on the build machine, and for hosts."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.composition import Node
from registry.domain.errors import Fault
from registry.domain.kinds import Kinds
from registry.domain.lints.facts import LintFacts
from registry.domain.pointer import child
from registry.domain.tuning import is_host_dependent


def host_dependent(node: Node, kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of a leaf that a compiler completes from the machine that it runs on."""
    if node.kind and node.is_leaf and is_host_dependent(node, kinds):
        needed = " or ".join(kinds.targets[node.kind].host_dependent_without)
        yield Fault(
            node.pointer,
            "HOST_DEPENDENT",
            f"a compiler completes this {node.kind} from the machine that it runs on",
            needed,
        )


def host_of_host(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of a host that has a host."""
    host = node.value.get("host")
    if isinstance(host, dict) and isinstance(host.get("host"), dict):
        pointer = child(child(node.pointer, "host"), "host")
        yield Fault(pointer, "HOST_OF_HOST", "a host has a host of its own", "a host without one")
