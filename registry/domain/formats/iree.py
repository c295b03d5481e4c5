"""The `iree` format: flags of iree-compile, one a line, which it also reads as `@file`.

A flag holds for all that is compiled, so each of IREE's devices is described once: by the first
node that is one, devices in their order before hosts. IREE makes code for devices; what calls them
is bytecode of its own, so that a host is described and not chosen. Where a composite has no device
that can be said, all is left to its host, and that is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from registry.domain.composition import Node, nodes
from registry.domain.errors import MOST_FAULTS, Code, Fault, Refused
from registry.domain.exporting import MEDIA, Export, Format, Subject, left_out
from registry.domain.kinds import EXECUTOR, RUNTIME
from registry.domain.pointer import ROOT, child
from registry.domain.toolchains.flags import HOST, line, one_machine
from registry.domain.toolchains.iree_devices import CHOOSING, Device, Unsayable, device

BYOC, DEVICES, KIND = "byoc", "devices", "kind"

OFFLOADED = "it is for the compiler that the byoc hands it to"
UNGROUPED = "the flags know no groups of devices"
NO_FLAG = "no flag of iree-compile says it"
BY_NAME = dict.fromkeys((EXECUTOR, RUNTIME), "IREE has one of its own")


@dataclass(slots=True)
class _Account:
    """What the flags say of a target: `described` are nodes by the name of IREE's device.

    `said` are pointers of options; `reasons` why other parts are left out, by pointer.
    """

    described: dict[str, tuple[Node, Device]] = field(default_factory=dict)
    said: set[str] = field(default_factory=set)
    reasons: dict[str, str] = field(default_factory=dict)

    def add(self, node: Node) -> None:
        """Say what can be said of a node after those before."""
        if not node.is_leaf:
            self._add_group(node)
        elif _is_offloaded(node):
            self._leave_out(node, OFFLOADED)
        else:
            try:
                self._add_device(node, device(node))
            except Unsayable as unsayable:
                self._leave_out(node, str(unsayable))

    def _add_group(self, node: Node) -> None:
        """The flags of many devices say that they are one target, and nothing else of it."""
        kind = child(node.pointer, KIND)
        if node.kind == BYOC:
            self.reasons[kind] = OFFLOADED
        elif node.pointer == ROOT:
            self.said.add(kind)
        else:
            self.reasons[kind] = UNGROUPED

    def _add_device(self, node: Node, found: Device) -> None:
        """The first of a name counts, and a host that is no other."""
        first, description = self.described.setdefault(found.name, (node, found))
        if node is first or (node.is_host and found.flags == description.flags):
            self.said |= {child(node.pointer, option) for option in found.said}
        else:
            place = first.pointer or "the root"
            self._leave_out(node, f"the flags hold one {found.name} device, which is {place}")

    def _leave_out(self, node: Node, why: str) -> None:
        own = (option for option in node.value if option != HOST)  # which has reasons of its own
        self.reasons |= {child(node.pointer, option): why for option in own}
        self.reasons[node.pointer] = why
        for around in node.encloses:  # which may be left out as a whole
            self.reasons.setdefault(around.pointer, why)
            self.reasons.setdefault(child(around.pointer, DEVICES), why)

    def reason(self, pointer: str) -> str:
        """Why what stands at a pointer is left out."""
        return self.reasons.get(pointer) or BY_NAME.get(pointer.rpartition("/")[2], NO_FLAG)


def write(subject: Subject) -> Export:
    """`iree`: words of a shell, one a line: the devices that code is made for, then what they are.

    Raises `Refused` (FORMAT_UNFIT) where IREE knows no such device, or they are of many machines.
    """
    found = list(nodes(subject.target))
    one_machine(subject, [node for node in found if _is_device(node)])
    account = _Account()
    for node in sorted(found, key=lambda node: node.is_host):
        account.add(node)
    described = account.described
    chosen = [name for name, (node, _) in described.items() if not node.is_host]
    if not chosen and not found[0].is_leaf:
        chosen = list(described)
    if not chosen:
        raise _unfit(subject, account, found)
    flags = [flag for name in chosen for flag in CHOOSING[name]]
    flags += [flag for _, said in described.values() for flag in said.flags]
    return Export(
        "".join(f"{line([flag])}\n" for flag in flags),
        left_out(subject.target, account.said, account.reason),
    )


def _unfit(subject: Subject, account: _Account, found: list[Node]) -> Refused:
    """Suggests the nodes that IREE knows."""
    problems = [
        Fault(node.pointer, Code.FORMAT_UNFIT, account.reasons[node.pointer])
        for node in found
        if node.is_leaf and node.pointer in account.reasons
    ]
    return Refused(
        Code.FORMAT_UNFIT,
        f"iree-compile cannot be told of {subject.reference}: {problems[0].message}.",
        faults=problems[:MOST_FAULTS],
        suggestions=subject.asked_for(node for node, _ in account.described.values()),
    )


def _is_device(node: Node) -> bool:
    """Whether IREE itself would make code for it, on whichever machine it is."""
    return node.is_leaf and not node.is_host and not _is_offloaded(node)


def _is_offloaded(node: Node) -> bool:
    return any(
        node.pointer.startswith(f"{child(around.pointer, DEVICES)}/")
        for around in node.encloses
        if around.kind == BYOC
    )


FORMAT = Format(
    "iree",
    f"text/{MEDIA}.iree",
    "Flags of iree-compile, one a line: which devices code is made for, and what they are.",
    write,
)
