"""A target in the notation of another tool, with what that leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from ttag_rules.nodes import Node


class Unfit(ValueError):
    """A notation has no words for a target; the message completes "the target"."""


@dataclass(frozen=True, slots=True)
class Notation:
    """A text or JSON, the nodes that it describes, and the pointers of what it expresses.

    `reasons` says why values of these nodes are left out, by pointer, where their kind does not.
    """

    content: str | dict[str, Any]
    described: tuple[Node, ...]
    written: AbstractSet[str]
    reasons: Mapping[str, str]
