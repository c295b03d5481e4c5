"""Where a target may stand inside another, and how one walks through them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from registry.domain.document import Json
from registry.domain.pointer import ROOT, child, natural

COMPOSITES = frozenset({"composite", "byoc"})
STRUCTURE = frozenset({"host", "devices", "executor", "runtime", "flow", "hardware"})
APPEND, REMOVE = "$append", "$remove"


class Position(Enum):
    """What the value of a key is to the registry; decides how a body's value there is read."""

    TARGET = "target"
    DEVICES = "devices"  # a list of targets, or targets by label
    COMPONENT = "component"  # an executor or a runtime: a word, or an object with a kind
    FEATURES = "features"  # a list of +name and -name, in which the last sign of a name counts
    PLAIN = "plain"

    def inside(self, key: str) -> Position:
        """The position of the value under a key of an object at this position."""
        if self is Position.DEVICES:
            return Position.TARGET
        return OF_KEY.get(key, Position.PLAIN) if self is Position.TARGET else Position.PLAIN


OF_KEY = {
    "host": Position.TARGET,
    "devices": Position.DEVICES,
    "executor": Position.COMPONENT,
    "runtime": Position.COMPONENT,
    "mattr": Position.FEATURES,
}


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A target inside a target.

    `encloses` holds every node above it in the document, nearest first, a host's owner too.
    """

    pointer: str
    value: dict[str, Any]
    encloses: tuple[Node, ...] = ()

    @property
    def kind(self) -> str:
        """The kind's name; empty in a patch that does not say."""
        kind = self.value.get("kind", "")
        return kind if isinstance(kind, str) else ""

    @property
    def is_leaf(self) -> bool:
        """Whether code is generated for the node itself: neither composite nor byoc."""
        return self.kind not in COMPOSITES

    @property
    def is_host(self) -> bool:
        """Whether it is what the node around it is built with."""
        return bool(self.encloses) and self.pointer == child(self.encloses[0].pointer, "host")

    @property
    def own(self) -> dict[str, Any]:
        """The options that the node's kind describes, without what the registry structures."""
        return {key: value for key, value in self.value.items() if key not in STRUCTURE}


def nodes(target: Json, pointer: str = ROOT, encloses: tuple[Node, ...] = ()) -> Iterator[Node]:
    """Walk every node of a target: itself, its host, its devices in natural order of labels."""
    if not isinstance(target, dict):
        return
    node = Node(pointer, target, encloses)
    yield node
    around = (node, *encloses)
    yield from nodes(target.get("host"), child(pointer, "host"), around)
    for place, device in devices(target.get("devices"), child(pointer, "devices")):
        yield from nodes(device, place, around)


def devices(value: Json, pointer: str) -> Iterator[tuple[str, Json]]:
    """The devices of a composite with their pointers, of a list, of labels, or of a list's edit."""
    if isinstance(value, list):
        for index, device in enumerate(value):
            yield child(pointer, index), device
    elif isinstance(value, dict) and is_edit(value):
        for edit in (REMOVE, APPEND):
            yield from devices(value.get(edit), child(pointer, edit))
    elif isinstance(value, dict):
        for label in sorted(value, key=natural):
            yield child(pointer, label), value[label]


def is_edit(value: object) -> bool:
    """Whether a value edits a list in place instead of being one."""
    return isinstance(value, dict) and (APPEND in value or REMOVE in value)


def is_mixin(body: Json) -> bool:
    """Whether a body is a reusable patch: it states neither a kind nor a parent."""
    return isinstance(body, dict) and "kind" not in body and "tag" not in body
