"""The `config` format: the split layout in its normal form.

A composite of composites is written with these as executors and their leaves as targets. A
composite of leaves, or a leaf, is one executor, whose name is empty (see `split_layout`). A
leaf next to composites is an executor of its own. Dropped are every byoc, every composite inside an
executor, and whatever encloses leaves and is not a member of an executor.

A leaf is written in full except for facts for people. Equal leaves with one label share a target;
if leaves with one label differ, the name of the first executor that has it precedes the label. A
host uses the label of the device that it equals; otherwise it is a target named `host`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from typing import Any

from registry.domain.document import Json, canonical
from registry.domain.errors import Code, Refused
from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject, find_losses
from registry.domain.kinds.kinds import HARDWARE
from registry.domain.search.attributes import is_hardware
from registry.domain.split_layout import (
    EXECUTORS,
    NO_LABEL,
    SETTINGS,
    TARGET_HOST,
    TARGETS,
    qualified_name,
)
from ttag_rules.compiled_options import compiled_options
from ttag_rules.nodes import COMPOSITES, HOST, Node, devices, nodes
from ttag_rules.pointer import ROOT, child, look_up, split_pointer

BYOC, COMPOSITE = "byoc", "composite"


def write(subject: Subject) -> Export:
    """Write `targets` and `executors`, each by name.

    Raises `Refused` (FORMAT_UNFIT) if the target has no executor: a leaf, or a composite with
    leaves.
    """
    target = subject.target
    executors = [executor for executor in _executors(Node(ROOT, target)) if executor.devices]
    if not executors:
        inside = (node for node in nodes(target) if node.enclosing and node.kind != BYOC)
        raise Refused(
            Code.FORMAT_UNFIT,
            f"{subject.reference} has no executors to write. The format config needs a leaf, a "
            "composite of leaves, or a composite of such composites, and cannot express a byoc or "
            "deeper nesting. Ask for one of its nodes, with ?node= and its pointer.",
            suggestions=subject.node_pointers(inside),
        )
    names = _names(executors)
    targets: dict[str, Json] = {
        names[executor.name, label]: leaf
        for executor in executors
        for label, leaf in executor.leaves.items()
    }
    written = {child(ROOT, "kind"), *chain.from_iterable(item.written() for item in executors)}
    return Export(
        {
            TARGETS: targets,
            EXECUTORS: {executor.name: _members(executor, names) for executor in executors},
        },
        find_losses(target, written, lambda pointer: _reason(target, executors, pointer)),
    )


@dataclass(frozen=True)
class _Executor:
    """A node that is written as an executor, and the leaves that are its devices, by label."""

    name: str
    node: Node
    devices: Mapping[str, Node]

    @cached_property
    def leaves(self) -> dict[str, dict[str, Json]]:
        """The targets of the executor by label: its devices, and its host unless it equals one."""
        by_label = {label: self._leaf(node) for label, node in self.devices.items()}
        if HOST in self.node.value:
            by_label[self.host] = _compiled(self.node.value[HOST])
        return by_label

    @cached_property
    def host(self) -> str:
        """The label of the host: that of the device equal to it, otherwise an unused one."""
        host = canonical(_compiled(self.node.value[HOST]))
        for label, node in self.devices.items():
            if canonical(self._leaf(node)) == host:
                return label
        others = (f"{HOST}{number}" for number in count(2))
        return next(label for label in chain([HOST], others) if label not in self.devices)

    def written(self) -> Iterator[str]:
        """Yield the pointers of everything that is written for the executor."""
        yield from (child(self.node.pointer, name) for name in ("kind", *SETTINGS))
        if HOST in self.node.value:
            yield from _written_pointers(self.node.value[HOST], child(self.node.pointer, HOST))
        for node in self.devices.values():
            yield from _written_pointers(node.value, node.pointer)

    def _leaf(self, node: Node) -> dict[str, Json]:
        leaf = _compiled(node.value)
        if node is self.node:  # these are members of the executor
            return {name: value for name, value in leaf.items() if name not in (HOST, *SETTINGS)}
        return leaf


# Decision 032: a leaf, or a composite of leaves, is one executor with an empty name.
def _executors(root: Node) -> list[_Executor]:
    """Return executors: a composite's devices if any is a composite, otherwise the node itself."""
    inner = _devices(root) if root.kind == COMPOSITE else {}
    if all(node.kind != COMPOSITE for node in inner.values()):
        return [_executor(NO_LABEL, root)]
    return [_executor(name, node) for name, node in inner.items()]


def _executor(name: str, node: Node) -> _Executor:
    if node.is_leaf:
        return _Executor(name, node, {NO_LABEL: node})
    inner = _devices(node) if node.kind == COMPOSITE else {}
    return _Executor(
        name, node, {label: device for label, device in inner.items() if device.is_leaf}
    )


def _devices(node: Node) -> dict[str, Node]:
    """Return the devices by label or index, in natural order."""
    pairs = devices(node.value["devices"], child(node.pointer, "devices"))
    return {
        split_pointer(pointer)[-1]: Node(pointer, value)
        for pointer, value in pairs
        if isinstance(value, dict)
    }


def _compiled(leaf: Mapping[str, Any]) -> dict[str, Json]:
    """Return a leaf and its hosts as compilers read them, without the facts for people."""
    return {
        name: _compiled(value) if name == HOST else value
        for name, value in compiled_options(leaf).items()
        if name != HARDWARE
    }


def _written_pointers(leaf: Mapping[str, Any], pointer: str) -> Iterator[str]:
    """Yield the pointers of the values in `_compiled`."""
    for name, value in leaf.items():
        member_pointer = child(pointer, name)
        if name == HOST:
            yield from _written_pointers(value, member_pointer)
        elif name != HARDWARE:
            yield member_pointer


def _names(executors: Sequence[_Executor]) -> dict[tuple[str, str], str]:
    """Return the name of each target, by executor and label."""
    leaves = {
        (item.name, label): canonical(leaf)
        for item in executors
        for label, leaf in item.leaves.items()
    }
    first: dict[tuple[str, bytes], str] = {}
    for (executor, label), leaf in leaves.items():
        first.setdefault((label, leaf), executor)
    different = Counter(label for label, _ in first)
    return {
        (executor, label): qualified_name(first[label, leaf], label)
        if different[label] > 1
        else label
        for (executor, label), leaf in leaves.items()
    }


def _members(executor: _Executor, names: Mapping[tuple[str, str], str]) -> dict[str, Json]:
    value = executor.node.value
    members: dict[str, Json] = {
        TARGETS: [names[executor.name, label] for label in executor.devices]
    }
    if HOST in value:
        members[TARGET_HOST] = [names[executor.name, executor.host]]
    for name, member in SETTINGS.items():
        if name in value:
            setting = value[name]
            members[member] = setting["kind"] if setting.keys() == {"kind"} else setting
    return members


def _reason(target: Json, executors: Sequence[_Executor], pointer: str) -> str:
    """Return the reason why the value at a pointer cannot be written."""
    value = look_up(target, pointer)
    if is_hardware(pointer):
        return "facts for people, which no compiler reads"
    if isinstance(value, dict) and value.get("kind") in COMPOSITES:
        return f"a {value['kind']} is not a leaf, and the targets of an executor are leaves"
    if pointer.rpartition("/")[0] in {executor.node.pointer for executor in executors}:
        return "an executor only has targets, target_host, executor, runtime and flow-config"
    return "it encloses the executors, where the layout has no members"


FORMAT = Format(
    "config",
    f"application/{MEDIA_TYPE_PREFIX}.config+json",
    "The split layout: named targets, and executors that use them.",
    write,
    members=(TARGETS, EXECUTORS),
)
