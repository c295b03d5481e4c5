"""The nodes of a target: itself, its host, its devices; walks over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ttag_rules.pointer import ROOT, child, natural_key

COMPOSITES = frozenset({"composite", "byoc"})
HOST, DEVICES, HARDWARE, KIND = "host", "devices", "hardware", "kind"
COMPONENTS = ("executor", "runtime")
STRUCTURE = frozenset({HOST, DEVICES, HARDWARE, "flow", *COMPONENTS})
APPEND, REMOVE = "$append", "$remove"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A target inside a target.

    `enclosing` holds every node above it in the document, nearest first, including a host's owner.
    """

    pointer: str
    value: dict[str, Any]
    enclosing: tuple[Node, ...] = ()

    @property
    def kind(self) -> str:
        """The kind's name; empty in a patch that does not state one."""
        kind = self.value.get(KIND, "")
        return kind if isinstance(kind, str) else ""

    @property
    def is_leaf(self) -> bool:
        """True if code is generated for the node itself: neither composite nor byoc."""
        return self.kind not in COMPOSITES

    @property
    def is_host(self) -> bool:
        """True if the node is the host of its enclosing node."""
        return bool(self.enclosing) and self.pointer == child(self.enclosing[0].pointer, HOST)

    def nearest(self, name: str) -> Any:
        """Return the value that the node states under a name, else its nearest enclosing node's.

        None if none of them states one.
        """
        owner = self.owner(name)
        return owner.value[name] if owner else None

    def owner(self, name: str) -> Node | None:
        """Return the nearest node that states a value under a name: itself or an enclosing one."""
        return next((node for node in (self, *self.enclosing) if name in node.value), None)

    @property
    def enclosing_codegens(self) -> tuple[str, ...]:
        """The external code generators of the byoc nodes that enclose the node, nearest first."""
        return tuple(outer.value["codegen"] for outer in self.enclosing if "codegen" in outer.value)

    @property
    def own(self) -> dict[str, Any]:
        """The options that the node's kind describes, without hosts, devices and components."""
        return {key: value for key, value in self.value.items() if key not in STRUCTURE}


def nodes(target: Any, pointer: str = ROOT, enclosing: tuple[Node, ...] = ()) -> Iterator[Node]:
    """Yield every node of a target: itself, its host, its devices in natural order of labels."""
    if not isinstance(target, dict):
        return
    node = Node(pointer, target, enclosing)
    yield node
    inner_enclosing = (node, *enclosing)
    yield from nodes(target.get(HOST), child(pointer, HOST), inner_enclosing)
    for device_pointer, device in devices(target.get(DEVICES), child(pointer, DEVICES)):
        yield from nodes(device, device_pointer, inner_enclosing)


def devices(value: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    """Yield a composite's devices with their pointers, from a list, labels or an edit of a list."""
    if isinstance(value, list):
        for index, device in enumerate(value):
            yield child(pointer, index), device
    elif isinstance(value, dict) and is_edit(value):
        for edit in (REMOVE, APPEND):
            yield from devices(value.get(edit), child(pointer, edit))
    elif isinstance(value, dict):
        for label in sorted(value, key=natural_key):
            yield child(pointer, label), value[label]


def labelled_devices(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the devices of a node by label or index, in natural order."""
    devices = value.get(DEVICES, ())
    if isinstance(devices, dict):
        return {label: devices[label] for label in sorted(devices, key=natural_key)}
    return {str(index): device for index, device in enumerate(devices)}


def is_edit(value: object) -> bool:
    """Return whether a value is an edit of a list instead of a list."""
    return isinstance(value, dict) and (APPEND in value or REMOVE in value)
