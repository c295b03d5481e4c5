"""A node as a target of its own, compared with the whole target that it is a part of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag.canonical_json import canonical
from ttag.errors import Tampered
from ttag.resolution import Resolution
from ttag.texts.nodes import HOST, Node, nodes
from ttag.texts.tables import TABLES

COMPONENTS = ("executor", "runtime")
FLOW, LIBS = "flow", "libs"


def require_part(part: Resolution, whole: Resolution, source: str) -> None:
    """Raise `Tampered` unless a resolution is that of a node of a whole target.

    Both have digests of their own; what the node takes from those around it is recomputed.
    """
    matches = [node for node in nodes(whole.target) if node.pointer == part.node]
    if part.exact == whole.exact and matches:
        closed = close(matches[0])
        if _text(part.target) == _text(closed):
            return
    raise Tampered(
        f"{source} sent a node {part.node!a} of {part.reference} that is not the node of "
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
    if any(LIBS in outer.value for outer in node.enclosing):
        closed[LIBS] = [*dict.fromkeys(lib for each in around for lib in each.value.get(LIBS, ()))]
    flow: dict[str, Any] = {}
    for outer in reversed(around):
        flow = _overridden(flow, outer.value.get(FLOW, {}))
    return closed | ({FLOW: flow} if flow else {})


def _overridden(outer: Mapping[str, Any], inner: Mapping[str, Any]) -> dict[str, Any]:
    names = {_current_name(name) for name in inner}
    kept = {name: value for name, value in outer.items() if _current_name(name) not in names}
    return {**kept, **inner}


def _current_name(name: str) -> str:
    return str(TABLES["tvm"]["settings"].get(name, name))


def _text(target: Mapping[str, Any]) -> bytes:
    """Return the bytes of a target; an empty `libs` is the same as none."""
    return canonical({name: value for name, value in target.items() if (name, value) != (LIBS, [])})
