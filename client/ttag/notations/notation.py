"""A target in the notation of another tool, with what that leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Set as AbstractSet
from dataclasses import dataclass

from ttag.texts.nodes import Node


class Unfit(ValueError):
    """A notation has no words for a target; the message completes "the target"."""


@dataclass(frozen=True, slots=True)
class Notation:
    """A text, the nodes that it describes, and the pointers of the values that it expresses.

    `reasons` says why values of these nodes are left out, by pointer, where their kind does not.
    """

    text: str
    described: tuple[Node, ...]
    written: AbstractSet[str]
    reasons: Mapping[str, str]
