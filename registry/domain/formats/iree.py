"""The `iree` format: flags of iree-compile, one per line, which it also reads as `@file`.

Flags apply to the whole compilation, so each of IREE's devices is described once: by the first
matching node, devices in their order before hosts. IREE compiles for devices and calls them from
its own bytecode, so a host is described but not selected. If no device of a composite can be
described, the host is selected.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from registry.domain.errors import Code, Fault, Refused, first_faults
from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject, find_losses
from registry.domain.kinds.kinds import EXECUTOR, RUNTIME
from registry.domain.toolchains.flags import require_one_machine, shell_line
from registry.domain.toolchains.iree_devices import (
    SELECTION_FLAGS,
    IreeDevice,
    Unsupported,
    iree_device,
)
from ttag_rules.nodes import HOST, Node, nodes
from ttag_rules.pointer import ROOT, child

BYOC, DEVICES, KIND = "byoc", "devices", "kind"

OFFLOADED = "it is compiled by the code generator of the byoc"
UNGROUPED = "flags cannot group devices"
NO_FLAG = "iree-compile has no flag for it"
BY_NAME = dict.fromkeys((EXECUTOR, RUNTIME), "IREE has one of its own")


@dataclass(slots=True)
class _Description:
    """The flags for a target: `described` maps the names of IREE's devices to nodes.

    `written` holds the pointers of options that the flags express; `reasons` why other values are
    left out, by pointer.
    """

    described: dict[str, tuple[Node, IreeDevice]] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    reasons: dict[str, str] = field(default_factory=dict)

    def add(self, node: Node) -> None:
        """Describe a node, after those before it."""
        if not node.is_leaf:
            self._add_group(node)
        elif _is_offloaded(node):
            self._leave_out(node, OFFLOADED)
        else:
            try:
                self._add_device(node, iree_device(node))
            except Unsupported as error:
                self._leave_out(node, str(error))

    def _add_group(self, node: Node) -> None:
        """Account for a group: flags only express that all devices belong to one target."""
        kind = child(node.pointer, KIND)
        if node.kind == BYOC:
            self.reasons[kind] = OFFLOADED
        elif node.pointer == ROOT:
            self.written.add(kind)
        else:
            self.reasons[kind] = UNGROUPED

    def _add_device(self, node: Node, iree_target: IreeDevice) -> None:
        """Describe the first device of a name; a host also counts if its flags are the same."""
        first, description = self.described.setdefault(iree_target.name, (node, iree_target))
        if node is first or (node.is_host and iree_target.flags == description.flags):
            self.written |= {child(node.pointer, option) for option in iree_target.written}
        else:
            place = first.pointer or "the root"
            self._leave_out(node, f"the flags describe only one {iree_target.name} device, {place}")

    def _leave_out(self, node: Node, reason: str) -> None:
        options = node.value.keys() - {HOST}  # a host has reasons of its own
        self.reasons |= {child(node.pointer, option): reason for option in options}
        self.reasons[node.pointer] = reason
        for outer in node.enclosing:  # could be left out as a whole
            self.reasons.setdefault(outer.pointer, reason)
            self.reasons.setdefault(child(outer.pointer, DEVICES), reason)

    def reason(self, pointer: str) -> str:
        """Return the reason why the value at a pointer is left out."""
        return self.reasons.get(pointer) or BY_NAME.get(pointer.rpartition("/")[2], NO_FLAG)


def write(subject: Subject) -> Export:
    """Write the flags, one per line: first the devices to compile for, then their descriptions.

    Raises `Refused` (FORMAT_UNFIT) if IREE has no matching device, or the hosts differ.
    """
    all_nodes = list(nodes(subject.target))
    require_one_machine(subject, [node for node in all_nodes if _is_device(node)])
    description = _Description()
    for node in sorted(all_nodes, key=lambda node: node.is_host):
        description.add(node)
    described = description.described
    chosen = [name for name, (node, _) in described.items() if not node.is_host]
    if not chosen and not all_nodes[0].is_leaf:
        chosen = list(described)
    if not chosen:
        raise _unfit(subject, description, all_nodes)
    flags = [flag for name in chosen for flag in SELECTION_FLAGS[name]]
    flags += [flag for _, written in described.values() for flag in written.flags]
    return Export(
        "".join(f"{shell_line([flag])}\n" for flag in flags),
        find_losses(subject.target, description.written, description.reason),
    )


def _unfit(subject: Subject, description: _Description, all_nodes: list[Node]) -> Refused:
    """Return the error, which suggests the nodes that IREE can compile for."""
    problems = [
        Fault(node.pointer, Code.FORMAT_UNFIT, description.reasons[node.pointer])
        for node in all_nodes
        if node.is_leaf and node.pointer in description.reasons
    ]
    return Refused(
        Code.FORMAT_UNFIT,
        f"iree-compile cannot compile for {subject.reference}: {problems[0].message}.",
        faults=first_faults(problems, Code.FORMAT_UNFIT),
        suggestions=subject.node_pointers(node for node, _ in description.described.values()),
    )


def _is_device(node: Node) -> bool:
    """Return whether IREE itself would compile for the node."""
    return node.is_leaf and not node.is_host and not _is_offloaded(node)


def _is_offloaded(node: Node) -> bool:
    return any(
        node.pointer.startswith(f"{child(outer.pointer, DEVICES)}/")
        for outer in node.enclosing
        if outer.kind == BYOC
    )


FORMAT = Format(
    "iree",
    f"text/{MEDIA_TYPE_PREFIX}.iree",
    "Flags of iree-compile, one per line: the devices to compile for, and their properties.",
    write,
)
