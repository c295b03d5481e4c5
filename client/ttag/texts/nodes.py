"""The nodes of a target: itself, its host and its devices, and the values that belong to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ttag.canonical_json import canonical

GROUPS = frozenset({"composite", "byoc"})
STRUCTURE = frozenset({"host", "devices", "executor", "runtime", "flow", "hardware"})
HOST, DEVICES, HARDWARE, KIND = "host", "devices", "hardware", "kind"
NUMBER = re.compile("[0-9]+")


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A target inside a target. `enclosing` are the nodes above it, the nearest first."""

    pointer: str
    value: Mapping[str, Any]
    enclosing: tuple[Node, ...] = ()

    @property
    def kind(self) -> str:
        """The name of the kind."""
        return str(self.value.get(KIND, ""))

    @property
    def is_leaf(self) -> bool:
        """True if code is generated for the node itself."""
        return self.kind not in GROUPS

    @property
    def is_host(self) -> bool:
        """True if the node is the host of its enclosing node."""
        return bool(self.enclosing) and self.pointer == f"{self.enclosing[0].pointer}/{HOST}"

    @property
    def host_owner(self) -> Node | None:
        """The node whose host it is built with: itself, or the nearest enclosing one; or None."""
        if self.is_host and HOST not in self.value:
            return None
        return next((each for each in (self, *self.enclosing) if HOST in each.value), None)

    @property
    def host(self) -> Any:
        """The host that the node is built with: its own, or the nearest enclosing one; or None."""
        return self.host_owner.value[HOST] if self.host_owner else None

    @property
    def own(self) -> dict[str, Any]:
        """The options of the node's kind, with the kind."""
        return {name: value for name, value in self.value.items() if name not in STRUCTURE}


def nodes(value: Any, pointer: str = "", enclosing: tuple[Node, ...] = ()) -> Iterator[Node]:
    """Yield every node of a target: itself, its host, its devices in natural order of labels."""
    if not isinstance(value, dict):
        return
    node = Node(pointer, value, enclosing)
    yield node
    inner = (node, *enclosing)
    yield from nodes(value.get(HOST), f"{pointer}/{HOST}", inner)
    for name, device in labelled_devices(value).items():
        yield from nodes(device, f"{pointer}/{DEVICES}/{name}", inner)


def labelled_devices(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the devices of a node by label or index, in natural order."""
    devices = value.get(DEVICES, ())
    if isinstance(devices, dict):
        return {label: devices[label] for label in sorted(devices, key=natural_key)}
    return {str(index): device for index, device in enumerate(devices)}


def natural_key(label: str) -> str:
    """Return a sort key that puts `machine2` before `machine10`, as the registry does."""
    return f"{NUMBER.sub(_number_key, label)}\0\0{label}"


def _number_key(match: re.Match[str]) -> str:
    digits = match[0].lstrip("0")
    return f"\0{chr(len(digits) + 1)}{digits}"  # a longer number is a larger one


def find(target: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer. Raises `LookupError`."""
    value = target
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) and name.isdecimal() else value[name]
    if pointer and not pointer.startswith("/"):
        raise LookupError(pointer)
    return value


def child(pointer: str, name: object) -> str:
    """Return a JSON pointer with one more token."""
    return f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}"


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values are the same JSON: 1 is not true."""
    return canonical(one) == canonical(other)
