"""The nodes of a target's values, and their numbers with units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from registry.domain.composition import nodes
from registry.domain.document import Json
from registry.domain.kinds import Kinds
from registry.domain.pointer import ROOT
from registry.web.versions import values

MAX_TEXT = 240  # characters of a value in a cell


@dataclass(frozen=True, slots=True)
class NodePlaces:
    """The kinds of a target's nodes and its humanised numbers, each by pointer."""

    kinds: Mapping[str, str]
    human: Mapping[str, str]

    @classmethod
    def of(cls, target: Json, all_kinds: Kinds) -> NodePlaces:
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


def shorten(text: str) -> str:
    """Return the text, truncated to fit a cell."""
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
