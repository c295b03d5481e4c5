"""Trees of values with their origins, so that resolution needs no second pass for provenance.

Trees are immutable and share branches, so a target that is used many times is stored once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from registry.domain.document import Json, canonical
from registry.domain.resolution.composition import Position
from ttag_rules.nodes import APPEND, COMPOSITES, REMOVE, is_edit
from ttag_rules.pointer import ROOT, child

Origin: TypeAlias = str | None  # an exact reference; None: the version being resolved
OWN: Origin = None


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A scalar, or a list of scalars."""

    value: Json
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """An object. `uses` are the indices of the dependencies that brought it here.

    `identity` caches its canonical bytes, shared by all uses of the branch.
    """

    children: Mapping[str, Tree]
    uses: tuple[int, ...] = ()
    identity: list[bytes] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class DeviceList:
    """A non-empty list of devices."""

    items: tuple[Tree, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """A change to a list that has not been applied yet; a half that is not stated is None."""

    remove: tuple[Tree, ...] | None
    append: tuple[Tree, ...] | None
    origin: Origin


Tree: TypeAlias = Leaf | Branch | DeviceList | Edit


@dataclass(frozen=True, slots=True)
class TreeSize:
    """The size of a tree; shared branches count each time they are used."""

    nodes: int = 0
    levels: int = 0  # nesting depth of composites
    height: int = 0  # nesting depth of JSON
    size: int = 0  # lower bound of the canonical JSON in bytes


@dataclass(slots=True)
class _Measurer:
    seen: dict[tuple[int, Position], TreeSize] = field(default_factory=dict)

    def measure(self, tree: Tree, position: Position) -> TreeSize:
        key = (id(tree), position)
        if key not in self.seen:
            self.seen[key] = self._measure(tree, position)
        return self.seen[key]

    def _measure(self, tree: Tree, position: Position) -> TreeSize:
        if isinstance(tree, Leaf):
            return TreeSize(size=_least_size(tree.value))
        parts, size = [], 2
        for key, part in _parts(tree):
            size += 0 if key is None else len(key) + 3
            if isinstance(part, Leaf):  # most parts are, and take no entry in `seen`
                size += _least_size(part.value)
            else:
                inner = Position.TARGET if key is None else position.inside(key)
                parts.append(self.measure(part, inner))
        is_node = isinstance(tree, Branch) and position is Position.TARGET
        return TreeSize(
            nodes=is_node + sum(part.nodes for part in parts),
            height=1 + max((part.height for part in parts), default=0),
            levels=_is_composite(tree) + max((part.levels for part in parts), default=0),
            size=size + sum(part.size for part in parts),
        )


def _least_size(value: Json) -> int:
    """Return a lower bound of the canonical bytes: for text, without looking at its characters."""
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, list):
        return 1 + max(1, len(value)) + sum(map(_least_size, value))
    return len(str(value)) if type(value) is int else len(canonical(value))


def measure_tree(tree: Tree) -> TreeSize:
    """Measure a target's tree in time proportional to its number of distinct branches."""
    return _Measurer().measure(tree, Position.TARGET)


def _parts(tree: Tree) -> Iterator[tuple[str | None, Tree]]:
    match tree:
        case Branch():
            yield from tree.children.items()
        case DeviceList():
            yield from ((None, item) for item in tree.items)
        case Edit():
            yield from ((None, item) for item in (*(tree.remove or ()), *(tree.append or ())))


def _is_composite(tree: Tree) -> bool:
    kind = tree.children.get("kind") if isinstance(tree, Branch) else None
    return isinstance(kind, Leaf) and isinstance(kind.value, str) and kind.value in COMPOSITES


def read_tree(
    value: Json,
    origin_at: Callable[[str], Origin],
    position: Position = Position.TARGET,
    pointer: str = ROOT,
) -> Tree:
    """Build a tree from a resolved document."""

    def read_items(values: Any, list_pointer: str) -> tuple[Tree, ...]:
        if position is not Position.DEVICES:
            return tuple(Leaf(item, origin_at(list_pointer)) for item in values)
        return tuple(
            read_tree(item, origin_at, Position.TARGET, child(list_pointer, index))
            for index, item in enumerate(values)
        )

    if isinstance(value, dict) and is_edit(value):
        halves = {
            half: read_items(value[half], child(pointer, half))
            for half in (REMOVE, APPEND)
            if half in value
        }
        origins = (origin_at(child(pointer, half)) for half in halves)
        origin = next(filter(None, origins), OWN)
        return Edit(halves.get(REMOVE), halves.get(APPEND), origin)
    if isinstance(value, dict):
        return Branch(
            {
                key: read_tree(item, origin_at, position.inside(key), child(pointer, key))
                for key, item in value.items()
            }
        )
    if isinstance(value, list) and value and position is Position.DEVICES:
        return DeviceList(read_items(value, pointer))
    return Leaf(value, origin_at(pointer))


def tree_to_json(tree: Tree) -> Json:
    """Return a tree as plain JSON."""
    match tree:
        case Leaf():
            return tree.value
        case Branch():
            return {key: tree_to_json(part) for key, part in tree.children.items()}
        case DeviceList():
            return [tree_to_json(item) for item in tree.items]
        case Edit():
            halves = {REMOVE: tree.remove, APPEND: tree.append}
            return {
                half: [tree_to_json(item) for item in items]
                for half, items in halves.items()
                if items is not None
            }


def tree_leaves(tree: Tree, pointer: str = ROOT) -> Iterator[tuple[str, Leaf]]:
    """Yield every leaf with its pointer. An empty object has none; a list of scalars is a leaf."""
    match tree:
        case Leaf():
            yield pointer, tree
        case Branch():
            for key, part in tree.children.items():
                yield from tree_leaves(part, child(pointer, key))
        case DeviceList():
            for index, item in enumerate(tree.items):
                yield from tree_leaves(item, child(pointer, index))
        case Edit():
            for half, items in ((REMOVE, tree.remove), (APPEND, tree.append)):
                yield from _edit_leaves(items, tree.origin, child(pointer, half))


def _edit_leaves(
    items: tuple[Tree, ...] | None, origin: Origin, pointer: str
) -> Iterator[tuple[str, Leaf]]:
    if items is None:
        return
    if all(isinstance(item, Leaf) for item in items):
        yield pointer, Leaf([tree_to_json(item) for item in items], origin)
        return
    for index, item in enumerate(items):
        yield from tree_leaves(item, child(pointer, index))


def tree_uses(tree: Tree, pointer: str = ROOT) -> Iterator[tuple[int, str]]:
    """Yield the index of every dependency with the pointer where its target was placed."""
    if isinstance(tree, Branch):
        for use in tree.uses:
            yield use, pointer
        for key, part in tree.children.items():
            yield from tree_uses(part, child(pointer, key))
    elif isinstance(tree, DeviceList):
        for index, item in enumerate(tree.items):
            yield from tree_uses(item, child(pointer, index))
    elif isinstance(tree, Edit):
        for half, items in ((REMOVE, tree.remove), (APPEND, tree.append)):
            for index, item in enumerate(items or ()):
                yield from tree_uses(item, child(child(pointer, half), index))
