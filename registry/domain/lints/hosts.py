"""Lints for leaves that depend on the build machine, and for hosts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from registry.domain.errors import Fault, echo
from registry.domain.keys.tuning import host_dependence, host_dependent_options
from registry.domain.kinds.kinds import FLOW, Kinds
from registry.domain.lints.facts import LintFacts
from ttag_rules.flow_names import current_name, override_settings
from ttag_rules.nodes import Node
from ttag_rules.pointer import child

CPU = "cpu"  # the key of kinds that run on the processor which starts the others


def host_dependent(node: Node, kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of a leaf whose code depends on the machine that builds it, once for each option."""
    for name in host_dependent_options(node, kinds) if node.kind and node.is_leaf else ():
        value = node.value.get(name)
        yield Fault(
            node.pointer if value is None else child(node.pointer, name),
            "HOST_DEPENDENT",
            f"{host_dependence(name, value)}, so this {node.kind} has no tuning key",
            name if value is None else f"another {name}",
            "" if value is None else echo(value),
        )


def host_without_cpu(node: Node, kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of a host that is no CPU, such as an accelerator."""
    kind = kinds.targets.get(node.kind) if node.is_host else None
    if kind and CPU not in kind.default_keys:  # decision 203: bodies with a GPU as host are refused
        yield Fault(
            node.pointer,
            "HOST_NOT_CPU",
            f"a host runs the code that starts devices, and {node.kind} is no CPU",
            "a CPU, such as llvm or c",
            node.kind,
        )


def host_of_host(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of a host that has a host."""
    host = node.value.get("host")
    if isinstance(host, dict) and isinstance(host.get("host"), dict):
        pointer = child(child(node.pointer, "host"), "host")
        yield Fault(pointer, "HOST_OF_HOST", "a host has a host of its own", "a host without one")


def flow_of_host(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of a pass setting that a host does not share with the nodes around it.

    One build compiles a host together with its devices, under one set of pass settings.
    """
    if not node.is_host:
        return
    shared: dict[str, Any] = {}
    for outer in reversed(node.enclosing):
        shared = override_settings(shared, outer.value.get(FLOW, {}))
    values = {current_name(name): value for name, value in shared.items()}
    for name, value in sorted(node.value.get(FLOW, {}).items()):
        if current_name(name) not in values or values[current_name(name)] != value:
            yield Fault(
                child(child(node.pointer, FLOW), name),
                "HOST_FLOW",
                f"a host is compiled with the settings of its devices, so {echo(name)} applies "
                "only if the host is built by itself",
                f"{name} in the flow around the host",
                echo(value),
            )
