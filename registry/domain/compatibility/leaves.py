"""The leaves of a target: what code is generated for, or what of a machine runs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

COMPOSITES = frozenset({"composite", "byoc"})
HOST, DEVICES = "host", "devices"
MAX_DEPTH = 64  # parts of a pointer; the deepest shipped target has six


# The walk of registry.domain.resolution, for resolved targets: the client has a copy of this file.
@dataclass(frozen=True, slots=True)
class Node:
    """A target inside a target, with its JSON Pointer; `is_inside` of a composite, not as host."""

    pointer: str
    target: Mapping[str, Any]
    is_inside: bool = False

    @property
    def kind(self) -> str:
        """The kind of the node; empty if it states none."""
        kind = self.target.get("kind", "")
        return kind if isinstance(kind, str) else ""

    @property
    def is_leaf(self) -> bool:
        """True if code is generated for the node itself."""
        return self.kind not in COMPOSITES


def nodes(target: Any, pointer: str = "", *, is_inside: bool = False) -> Iterator[Node]:
    """Yield a target, its host and its devices, and theirs; what is no target has no kind."""
    is_target = isinstance(target, Mapping) and pointer.count("/") <= MAX_DEPTH
    node = Node(pointer, target if is_target else {}, is_inside)
    yield node
    if HOST in node.target:
        yield from nodes(node.target[HOST], f"{pointer}/{HOST}")
    for label, device in _members(node.target.get(DEVICES)):
        escaped = label.replace("~", "~0").replace("/", "~1")
        yield from nodes(device, f"{pointer}/{DEVICES}/{escaped}", is_inside=True)


def _members(devices: Any) -> Iterator[tuple[str, Any]]:
    """Yield the devices of a composite by their labels, or by their places in a list."""
    if isinstance(devices, Mapping):
        yield from ((str(label), devices[label]) for label in sorted(devices, key=str))
    elif isinstance(devices, list):
        yield from ((str(place), device) for place, device in enumerate(devices))
