"""The nodes of a target that a build compiles, each with what it takes from the nodes around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ttag.tvm.description import CPU_KINDS, Description, compiled_target
from ttag.tvm.forms import tvm_form
from ttag_rules.closed_nodes import close, host_owner
from ttag_rules.flow_names import current_name
from ttag_rules.nodes import HOST, Node
from ttag_rules.pointer import child


class Position(Enum):
    """The part that a node plays in a build."""

    MODULE = "functions without a target of their own are compiled for it"
    FUNCTION = "functions that are annotated with it are compiled for it"
    VIRTUAL_DEVICE = "a virtual device of the module stands for it"
    HOST = "it launches the kernels of a device"
    IDLE_HOST = "it is the host of a CPU, which needs none"
    OFFLOADED = "an external code generator gets it"
    PLACED = "it is annotated: its own description accounts for it"
    AROUND = "it encloses nodes that are compiled"
    OVERRIDDEN = "the nodes in it state values of their own"
    UNPLACED = "nothing of the module is placed on it"


@dataclass(frozen=True, eq=False, slots=True)
class BuiltNode:
    """A node in its position.

    `functions` are the Relax functions that are compiled for it; `device` is whose kernels a host
    launches.
    """

    description: Description
    node: Node
    position: Position
    functions: frozenset[str] = frozenset()
    device: BuiltNode | None = None

    @property
    def name(self) -> str:
        """The exact reference of the node."""
        return self.description.name_of(self.node.pointer)

    @property
    def has_relax(self) -> bool:
        """True if Relax functions are compiled for the node, not only functions for TIR."""
        return bool(self.functions)

    @property
    def closed(self) -> dict[str, Any]:
        """The node as a target of its own, in the registry's form."""
        return close(self.node).target

    @property
    def target(self) -> dict[str, Any]:
        """The closed node as TVM takes it, without the host of a CPU."""
        return compiled_target(tvm_form(self.closed))

    @property
    def is_cpu(self) -> bool:
        """True if TVM compiles the node together with hosts."""
        return self.node.kind in CPU_KINDS

    @property
    def executor(self) -> str:
        """The executor's kind; empty if the target leaves it to the compiler."""
        return str(self.closed.get("executor", {}).get("kind", ""))

    @property
    def runtime(self) -> str:
        """The runtime's kind; empty if the target leaves it to the compiler."""
        return str(self.closed.get("runtime", {}).get("kind", ""))

    @property
    def flow(self) -> Mapping[str, Any]:
        """All settings of the flow that apply to the node, by their names in TVM 0.27."""
        return {current_name(name): value for name, value in self.closed.get("flow", {}).items()}

    @property
    def libs(self) -> tuple[str, ...]:
        """The libraries of the node and of those around it, its own first."""
        return tuple(self.closed.get("libs", ()))


def host_of(built: BuiltNode) -> BuiltNode | None:
    """Return the host that a node is closed with, which may be that of a node around it."""
    owner = host_owner(built.node)
    if owner is None:
        return None
    host = Node(child(owner.pointer, HOST), owner.value[HOST], (owner, *owner.enclosing))
    position = Position.IDLE_HOST if built.is_cpu else Position.HOST
    return BuiltNode(built.description, host, position, device=built)
