"""Find one node of a target, and close it."""

from __future__ import annotations

from registry.domain.document import Json
from registry.domain.errors import Code, Refused, echo
from registry.domain.names.near_names import nearest_first
from ttag_rules.closed_nodes import ClosedNode, close
from ttag_rules.nodes import nodes
from ttag_rules.pointer import natural_key

MAX_SUGGESTIONS = 20  # nodes listed in an error


def close_node(target: Json, pointer: str) -> ClosedNode:
    """Return the node at a pointer with its effective host, libraries, flow, executor and runtime.

    Raises `Refused` (NODE_UNKNOWN) if there is no target at the pointer, and suggests pointers of
    nodes, those that resemble it first.
    """
    by_pointer = {node.pointer: node for node in nodes(target) if node.kind}
    if pointer not in by_pointer:
        known = nearest_first(pointer, sorted(by_pointer, key=natural_key))
        example = next(filter(None, known), "/host")
        raise Refused(
            Code.NODE_UNKNOWN,
            f"There is no node at {echo(pointer)}; expected a JSON pointer such as {example}.",
            suggestions=known[:MAX_SUGGESTIONS],
        )
    return close(by_pointer[pointer])
