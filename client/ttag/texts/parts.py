"""A node as a target of its own, by the rules of the registry; test vectors state them for both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any, TypeVar

from ttag.canonical_json import canonical, digest_of
from ttag.errors import Refused, Tampered, attempt, echo
from ttag.references import whole_of
from ttag.resolution import Resolution
from ttag.texts.nodes import HOST, Node, natural_key, nodes
from ttag.texts.tables import TABLES

COMPONENTS = ("executor", "runtime")
FLOW, LIBS = "flow", "libs"
MAX_SUGGESTIONS = 20  # nodes in an error

V = TypeVar("V")


def part_of(whole: Resolution, pointer: str) -> Resolution:
    """Return what a node of a target resolves to, without asking the registry.

    It has no build key, which only the registry can compute. Raises `Refused` (NODE_UNKNOWN).
    """
    node = find_node(whole, pointer)
    data = canonical(close(node))
    return replace(
        whole,
        reference=f"{whole.reference}#{pointer}",
        node=pointer,
        digest=digest_of(data),
        text=data.decode(),
        tuning_keys=select(node, whole.tuning_keys),
        build_key="",
    )


def find_node(whole: Resolution, pointer: str) -> Node:
    """Return the node at a pointer. Raises `Refused` (NODE_UNKNOWN), as the registry does."""
    by_pointer = {node.pointer: node for node in nodes(whole.target) if node.kind}
    if pointer not in by_pointer:
        names = sorted(by_pointer.keys() - {""}, key=natural_key)
        near = get_close_matches(pointer, names, MAX_SUGGESTIONS, cutoff=0)
        raise Refused(
            f"{whole.exact} has no node at {echo(pointer)}; it has "
            f"{', '.join(names[:MAX_SUGGESTIONS]) or 'none besides the whole target'}.",
            code="NODE_UNKNOWN",
            status=HTTPStatus.NOT_FOUND,
            suggestions=near,
        )
    node = by_pointer[pointer]
    # Patches of a mixin apply only where it is used.
    return replace(node, enclosing=tuple(outer for outer in node.enclosing if outer.kind))


def require_part(part: Resolution, whole: Resolution, source: str) -> None:
    """Raise `Tampered` unless a resolution is that of a node of a whole target.

    Both have digests of their own; what the node takes from those around it is recomputed.
    """
    node = attempt(find_node, whole, part.node or "")
    is_same_version = (part.tag, part.version) == (whole.tag, whole.version)
    if is_same_version and isinstance(node, Node) and _text(part.target) == _text(close(node)):
        return
    raise Tampered(
        f"{source} sent a node {part.node!a} of {whole_of(part.reference)} that is not the node of "
        f"{whole.exact} there. Nothing of it was used."
    )


def close(node: Node) -> dict[str, Any]:
    """Return a node with what it takes from the nodes around it."""
    around = (node, *node.enclosing)
    closed = dict(node.value)
    if node.host is not None:
        closed[HOST] = node.host
    for name in COMPONENTS:
        for outer in around:
            if name in outer.value:
                closed.setdefault(name, outer.value[name])
    # Decision 108: a list that only the node states stays as it is, and an empty one adds nothing.
    if any(outer.value.get(LIBS) for outer in node.enclosing):
        closed[LIBS] = [*dict.fromkeys(lib for each in around for lib in each.value.get(LIBS, ()))]
    flow: dict[str, Any] = {}
    for outer in reversed(around):
        flow = _overridden(flow, outer.value.get(FLOW, {}))
    return closed | ({FLOW: flow} if flow else {})


def select(node: Node, values: Mapping[str, V]) -> dict[str, V]:
    """Select the values of a node, and of its host, from a mapping by pointer into the whole.

    The result is keyed by pointer into the closed node, in natural order.
    """
    places = {node.pointer: ""}
    if node.host_owner:
        places.setdefault(f"{node.host_owner.pointer}/{HOST}", f"/{HOST}")
    moved = {
        inner + pointer.removeprefix(outer): value
        for pointer, value in values.items()
        for outer, inner in places.items()
        if pointer == outer or pointer.startswith(f"{outer}/")
    }
    return {pointer: moved[pointer] for pointer in sorted(moved, key=natural_key)}


def _overridden(outer: Mapping[str, Any], inner: Mapping[str, Any]) -> dict[str, Any]:
    names = {_current_name(name) for name in inner}
    kept = {name: value for name, value in outer.items() if _current_name(name) not in names}
    return {**kept, **inner}


def _current_name(name: str) -> str:
    return str(TABLES["tvm"]["settings"].get(name, name))


def _text(target: Mapping[str, Any]) -> bytes:
    """Return the bytes of a target; an empty `libs` is the same as none."""
    return canonical({name: value for name, value in target.items() if (name, value) != (LIBS, [])})
