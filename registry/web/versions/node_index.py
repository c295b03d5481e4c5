"""An index of a target's nodes and humanized values, by pointer."""

from __future__ import annotations

from collections.abc import Mapping

from registry.domain.composition import nodes
from registry.domain.document import Json
from registry.domain.kinds import Kinds
from registry.domain.pointer import ROOT
from registry.web.versions import values


class NodeIndex:
    """The kinds of the nodes of a target or a mixin, by pointer."""

    def __init__(self, target: Json, all_kinds: Kinds) -> None:
        self._nodes = {node.pointer: node for node in nodes(target)}
        self._all_kinds = all_kinds
        self._node_of_parent: dict[str, str] = {}
        self._options: dict[str, Mapping[str, values.Option]] = {}
        self.kinds = {pointer: node.kind for pointer, node in self._nodes.items()}

    def node_of(self, pointer: str) -> str:
        """Return the innermost node that contains a pointer."""
        if pointer in self._nodes:
            return pointer
        parent = pointer.rpartition("/")[0]
        if parent not in self._node_of_parent:
            self._node_of_parent[parent] = self.node_of(parent) if parent else ROOT
        return self._node_of_parent[parent]

    def human(self, pointer: str, value: Json) -> str:
        """Return the value at a pointer with its unit; empty if it has none."""
        node = self.node_of(pointer)
        if node not in self._options:
            self._options[node] = values.options_of(self._nodes[node], self._all_kinds)
        return values.humanized(pointer, value, self._options[node])
