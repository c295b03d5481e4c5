"""An index of a target's nodes and humanized values, by pointer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from registry.domain.composition import nodes
from registry.domain.document import Json
from registry.domain.kinds import Kinds
from registry.domain.pointer import ROOT
from registry.web.versions import values


@dataclass(frozen=True, slots=True)
class NodeIndex:
    """The kinds of a target's nodes and its humanized numbers, each by pointer."""

    kinds: Mapping[str, str]
    human: Mapping[str, str]

    @classmethod
    def of(cls, target: Json, all_kinds: Kinds) -> NodeIndex:
        """Index a resolved target or a mixin."""
        groups = values.groups(target, {}, all_kinds)
        return cls(
            {node.pointer: node.kind for node in nodes(target)},
            {value.pointer: value.human for group in groups for value in group.values},
        )

    def node_of(self, pointer: str) -> str:
        """Return the innermost node that contains a pointer."""
        while pointer and pointer not in self.kinds:
            pointer = pointer.rpartition("/")[0]
        return pointer or ROOT
