"""The `config` format, the split layout in its normal form: targets by name, executors by name.

A composite of composites is written with these as executors and their leaves as targets. A
composite of leaves, or a leaf, is one executor, whose name is empty (`registry.domain.split`). A
leaf beside composites is an executor of its own. Every byoc is dropped, every composite inside an
executor, and of what encloses leaves all that an executor cannot say.

A leaf is written whole, but for facts for people. Equal leaves of one label share a target; where
leaves of one label differ, the name of the first executor that has it precedes the label. A host
goes by the label of the device that equals it; one that equals none is a target `host`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from typing import Any

from registry.domain.attributes import is_hardware
from registry.domain.composition import COMPOSITES, Node, devices, nodes
from registry.domain.document import Json, canonical
from registry.domain.errors import Code, Refused
from registry.domain.exporting import MEDIA, Export, Format, Subject, left_out
from registry.domain.kinds import HARDWARE
from registry.domain.pointer import ROOT, child, look_up, tokens
from registry.domain.split import (
    EXECUTORS,
    ITSELF,
    SETTINGS,
    TARGET_HOST,
    TARGETS,
    qualified,
)

BYOC, COMPOSITE, HOST = "byoc", "composite", "host"


def write(subject: Subject) -> Export:
    """`targets` and `executors`, each by name.

    Raises `Refused` (FORMAT_UNFIT) where the target has no executor: a composite with leaves.
    """
    target = subject.target
    executors = [each for each in _executors(Node(ROOT, target)) if each.devices]
    if not executors:
        inside = (node for node in nodes(target) if node.encloses and node.kind != BYOC)
        raise Refused(
            Code.FORMAT_UNFIT,
            f"{subject.reference} has no executors to write. The format config needs a leaf, a "
            "composite of leaves, or a composite of such composites: a byoc is none, and nothing "
            "nests deeper. Ask for one of its nodes, with ?node= and its pointer.",
            suggestions=subject.asked_for(inside),
        )
    names = _names(executors)
    targets: dict[str, Json] = {
        names[each.name, label]: leaf for each in executors for label, leaf in each.leaves.items()
    }
    said = {child(ROOT, "kind"), *chain.from_iterable(each.said() for each in executors)}
    return Export(
        {TARGETS: targets, EXECUTORS: {each.name: _members(each, names) for each in executors}},
        left_out(target, said, lambda pointer: _reason(target, executors, pointer)),
    )


@dataclass(frozen=True)
class _Executor:
    """A node that becomes an executor, and the leaves that are its devices, by label."""

    name: str
    node: Node
    devices: Mapping[str, Node]

    @cached_property
    def leaves(self) -> dict[str, dict[str, Json]]:
        """What it calls by a label: its devices, and its host where that is none of them."""
        found = {label: self._leaf(node) for label, node in self.devices.items()}
        if HOST in self.node.value:
            found[self.host] = _said_of(self.node.value[HOST])
        return found

    @cached_property
    def host(self) -> str:
        """The label of its host: that of the device equal to it, else one that no device has."""
        host = canonical(_said_of(self.node.value[HOST]))
        for label, node in self.devices.items():
            if canonical(self._leaf(node)) == host:
                return label
        others = (f"{HOST}{number}" for number in count(2))
        return next(label for label in chain([HOST], others) if label not in self.devices)

    def said(self) -> Iterator[str]:
        """The pointers of all that is said of it."""
        yield from (child(self.node.pointer, name) for name in ("kind", *SETTINGS))
        if HOST in self.node.value:
            yield from _places(self.node.value[HOST], child(self.node.pointer, HOST))
        for node in self.devices.values():
            yield from _places(node.value, node.pointer)

    def _leaf(self, node: Node) -> dict[str, Json]:
        leaf = _said_of(node.value)
        if node is self.node:  # what encloses a target is said of the executor
            return {name: value for name, value in leaf.items() if name not in (HOST, *SETTINGS)}
        return leaf


def _executors(root: Node) -> list[_Executor]:
    """A composite's devices where one of them is a composite, else the node itself."""
    inner = _devices(root) if root.kind == COMPOSITE else {}
    if all(node.kind != COMPOSITE for node in inner.values()):
        return [_executor(ITSELF, root)]
    return [_executor(name, node) for name, node in inner.items()]


def _executor(name: str, node: Node) -> _Executor:
    if node.is_leaf:
        return _Executor(name, node, {ITSELF: node})
    inner = _devices(node) if node.kind == COMPOSITE else {}
    return _Executor(name, node, {label: each for label, each in inner.items() if each.is_leaf})


def _devices(node: Node) -> dict[str, Node]:
    """The devices by label or index, in natural order."""
    found = devices(node.value["devices"], child(node.pointer, "devices"))
    return {
        tokens(place)[-1]: Node(place, value) for place, value in found if isinstance(value, dict)
    }


def _said_of(leaf: Mapping[str, Any]) -> dict[str, Json]:
    """A leaf without facts for people, which no compiler reads; and so its host."""
    return {
        name: _said_of(value) if name == HOST else value
        for name, value in leaf.items()
        if name != HARDWARE
    }


def _places(leaf: Mapping[str, Any], pointer: str) -> Iterator[str]:
    """The pointers of what `_said_of` says."""
    for name, value in leaf.items():
        place = child(pointer, name)
        if name == HOST:
            yield from _places(value, place)
        elif name != HARDWARE:
            yield place


def _names(executors: Sequence[_Executor]) -> dict[tuple[str, str], str]:
    """The name of what an executor calls by a label, by executor and label."""
    leaves = {
        (each.name, label): canonical(leaf)
        for each in executors
        for label, leaf in each.leaves.items()
    }
    first: dict[tuple[str, bytes], str] = {}
    for (executor, label), leaf in leaves.items():
        first.setdefault((label, leaf), executor)
    different = Counter(label for label, _ in first)
    return {
        (executor, label): qualified(first[label, leaf], label) if different[label] > 1 else label
        for (executor, label), leaf in leaves.items()
    }


def _members(executor: _Executor, names: Mapping[tuple[str, str], str]) -> dict[str, Json]:
    value = executor.node.value
    found: dict[str, Json] = {TARGETS: [names[executor.name, label] for label in executor.devices]}
    if HOST in value:
        found[TARGET_HOST] = [names[executor.name, executor.host]]
    for name, member in SETTINGS.items():
        if name in value:
            setting = value[name]
            found[member] = setting["kind"] if setting.keys() == {"kind"} else setting
    return found


def _reason(target: Json, executors: Sequence[_Executor], pointer: str) -> str:
    """Why something at a pointer has no place in the layout."""
    value = look_up(target, pointer)
    if is_hardware(pointer):
        return "facts for people, which no compiler reads"
    if isinstance(value, dict) and value.get("kind") in COMPOSITES:
        return f"a {value['kind']} is no leaf, and the targets of an executor are leaves"
    if pointer.rpartition("/")[0] in {each.node.pointer for each in executors}:
        return (
            "of an executor only targets, target_host, executor, runtime and flow-config are said"
        )
    return "it stands around the executors, and the layout has nothing there"


FORMAT = Format(
    "config",
    f"application/{MEDIA}.config+json",
    "The split layout: targets by name, and executors that say which of them they use and how.",
    write,
    members=(TARGETS, EXECUTORS),
)
