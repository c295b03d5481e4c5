"""The interface of formats: functions from a closed target to text that another tool reads.

A format reports everything that it cannot express as dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from registry.domain.closed_nodes import MAX_SUGGESTIONS
from registry.domain.document import Json, canonical
from registry.domain.kinds.kinds import Kinds
from ttag_rules.closed_nodes import ClosedNode
from ttag_rules.nodes import Node
from ttag_rules.pointer import ROOT, child

MEDIA_TYPE_PREFIX = "vnd.target-tag-registry"  # prefix of our own media types


@dataclass(frozen=True)
class Subject:
    """A version's target, or one node of it, to be written in a format.

    `exact` is the version's reference, `document` its target. `composed` maps pointers to the exact
    references of the versions used there unchanged. `cpus` are the CPU names that LLVM knows, by
    architecture. With `should_record`, the output states the references of nodes.
    """

    exact: str
    document: dict[str, Any]
    kinds: Kinds
    part: ClosedNode | None = None
    composed: Mapping[str, str] = field(default_factory=dict)
    cpus: Mapping[str, frozenset[str]] = field(default_factory=dict)
    should_record: bool = False

    @property
    def target(self) -> dict[str, Any]:
        """The closed target to write."""
        return self.part.target if self.part else self.document

    @property
    def reference(self) -> str:
        """The exact reference of the target; for a node, with its pointer as a fragment."""
        return f"{self.exact}#{self.part.pointer}" if self.part else self.exact

    @cached_property
    def origins(self) -> dict[str, str]:
        """The references of nodes that are used unchanged, by pointer into the target."""
        origins = self.part.select(self.composed) if self.part else dict(self.composed)
        return {**origins, ROOT: self.reference}

    def node_pointers(self, nodes: Iterable[Node]) -> list[str]:
        """Return the values of `?node=` for nodes of the target; at most 20."""
        pointers = (node.pointer for node in islice(nodes, MAX_SUGGESTIONS))
        return [self.part.outer_pointer(pointer) if self.part else pointer for pointer in pointers]


@dataclass(frozen=True, slots=True)
class Loss:
    """A value that a format left out: its pointer in the target, and the reason."""

    pointer: str
    reason: str

    @property
    def as_json(self) -> dict[str, Json]:
        """The loss as it appears in responses."""
        return {"pointer": self.pointer, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Export:
    """The result of a format: text or the members of a JSON object, and what was dropped."""

    content: str | dict[str, Json]
    dropped: tuple[Loss, ...] = ()

    @property
    def text(self) -> str:
        """The exported text; a JSON object includes `dropped`."""
        if isinstance(self.content, str):
            return self.content
        losses: list[Json] = [loss.as_json for loss in self.dropped]
        return canonical({**self.content, "dropped": losses}).decode()


@dataclass(frozen=True, slots=True)
class Format:
    """A format with its name and media type; `write` may raise `Refused` (FORMAT_UNFIT).

    `summary` is one sentence for people. `members` are the members of its JSON object, empty for
    text. `can_record` states whether it can contain the origins of nodes.
    """

    name: str
    media_type: str
    summary: str
    write: Callable[[Subject], Export]
    members: tuple[str, ...] = ()
    can_record: bool = False


# Decision 028: a format lists all that it drops.
def find_losses(
    target: Json, written: Collection[str], reason: str | Callable[[str], str]
) -> tuple[Loss, ...]:
    """Return the losses of a format that writes only the values at some pointers.

    Only the topmost pointers are reported; a written value includes everything inside it. `reason`
    is one text for all, or a function of the pointer.
    """
    reason_for = reason if callable(reason) else lambda pointer: reason
    enclosing = {
        "/".join(pointer.split("/")[:end])
        for pointer in written
        for end in range(1, pointer.count("/") + 1)
    }
    return tuple(
        Loss(pointer, reason_for(pointer))
        for pointer in _unwritten(target, frozenset(written), enclosing, ROOT)
    )


def _unwritten(
    value: Json, written: Collection[str], enclosing: Collection[str], pointer: str
) -> Iterator[str]:
    if pointer in written:
        return
    if pointer not in enclosing:
        yield pointer
        return
    items: Iterable[tuple[str | int, Json]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, item in items:
        yield from _unwritten(item, written, enclosing, child(pointer, key))
