"""Close one node of a target, which makes it a target of its own.

What the node takes from its enclosing nodes is included. A compiler pass can attach it to one
function and record it, and a later build can look it up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ttag_rules.flow_names import override_settings
from ttag_rules.nodes import COMPONENTS, HOST, Node
from ttag_rules.pointer import ROOT, PointerUnknown, child, natural_key

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class ClosedNode:
    """A node as a target of its own.

    `pointer_pairs` maps pointers in the whole document to pointers in the closed node, longest
    first: the node's own, and those of a host, an executor and a runtime which it takes from an
    enclosing node. `shared_pairs` are those of its enclosing nodes' libraries and pass settings.
    `codegens` are those of the enclosing byoc nodes, nearest first.
    """

    pointer: str
    target: dict[str, Any]
    pointer_pairs: tuple[tuple[str, str], ...]
    codegens: tuple[str, ...] = ()
    shared_pairs: tuple[tuple[str, str], ...] = ()

    def select(self, values: Mapping[str, V]) -> dict[str, V]:
        """Select the values inside the node from a mapping by pointer into the whole document.

        The result is keyed by pointer into the node, in natural order.
        """
        moved = {}
        for pointer, value in values.items():
            inner = self.inner_pointer(pointer)
            if inner is not None:
                moved[inner] = value
        return dict(sorted(moved.items(), key=lambda pair: natural_key(pair[0])))

    def inner_pointer(self, pointer: str) -> str | None:
        """Convert a pointer into the whole document; None if it is outside the node."""
        for outer, inner in (*self.pointer_pairs, *self.shared_pairs):
            if pointer == outer or pointer.startswith(f"{outer}/"):
                return inner + pointer[len(outer) :]
        return None

    def outer_pointer(self, pointer: str) -> str:
        """Convert a pointer into the node to one into the whole document.

        Raises `PointerUnknown` if it is not in the node.
        """
        longest_first = sorted(self.pointer_pairs, key=lambda pair: -len(pair[1]))
        for outer, inner in longest_first:
            if pointer == inner or pointer.startswith(f"{inner}/"):
                return outer + pointer[len(inner) :]
        raise PointerUnknown(pointer)


# Decision 019: the digest of a node covers its own bytes, so that it can be verified alone.
def close(inner: Node) -> ClosedNode:
    """Return a node with its effective host, libraries, flow, executor and runtime."""
    node = _without_patches(inner)
    closed = dict(node.value)
    pointer_pairs = [(node.pointer, ROOT)]
    for name in (HOST, *COMPONENTS):
        owner = _enclosing_owner(node, name)
        if owner is not None:
            closed[name] = owner.value[name]
            pointer_pairs.append((child(owner.pointer, name), child(ROOT, name)))
    enclosing = (node, *node.enclosing)
    # Decision 108: a list that only the node states stays as it is.
    if any(outer.value.get("libs") for outer in node.enclosing):  # an empty list adds nothing
        libs = (lib for outer in enclosing for lib in outer.value.get("libs", ()))
        closed["libs"] = list(dict.fromkeys(libs))
    flow: dict[str, Any] = {}
    for outer in reversed(enclosing):
        flow = override_settings(flow, outer.value.get("flow", {}))
    if flow:
        closed["flow"] = flow
    longest_first = sorted(pointer_pairs, key=lambda pair: -len(pair[0]))
    shared_pairs = tuple(_shared_pairs(node, closed))
    return ClosedNode(
        node.pointer, closed, tuple(longest_first), node.enclosing_codegens, shared_pairs
    )


def _shared_pairs(node: Node, closed: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the pointers of libraries and settings of enclosing nodes, and those in the node."""
    settings = set(node.value.get("flow", {}))
    for outer in node.enclosing:
        for index, lib in enumerate(outer.value.get("libs", ())):
            inner = child(child(ROOT, "libs"), closed["libs"].index(lib))
            yield child(child(outer.pointer, "libs"), index), inner
        for name in outer.value.get("flow", {}):
            if name in closed["flow"] and name not in settings:
                yield child(child(outer.pointer, "flow"), name), child(child(ROOT, "flow"), name)
                settings.add(name)


def _without_patches(node: Node) -> Node:
    """Return a node without enclosing patches of a mixin, which apply only where it is used."""
    return replace(node, enclosing=tuple(outer for outer in node.enclosing if outer.kind))


def host_owner(node: Node) -> Node | None:
    """Return the node whose host a node is built with: itself, or the nearest enclosing one."""
    return node if HOST in node.value else _enclosing_owner(node, HOST)


def effective_host(node: Node) -> dict[str, Any] | None:
    """Return the host that a node is built with: its own, or the nearest enclosing one."""
    owner = host_owner(node)
    return owner.value[HOST] if owner else None


def _enclosing_owner(node: Node, name: str) -> Node | None:
    """Return the nearest enclosing node whose host, executor or runtime this node is built with.

    None if the node states its own; a host has none.
    """
    if name in node.value or (name == HOST and node.is_host):
        return None
    return node.owner(name)
