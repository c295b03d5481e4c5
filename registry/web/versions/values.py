"""A target's values one by one: text, unit, origin, and a link to the option's description."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from django.urls import reverse

from registry.domain.composition import Node, nodes
from registry.domain.document import Json
from registry.domain.kinds import COMPONENTS, HARDWARE, SINGLE_KINDS, Kind, Kinds
from registry.domain.pointer import child
from registry.domain.provenance_tree import Leaf, Origin, Tree, read_tree, tree_leaves
from registry.web.core.units import humanize

INNER = ("host", "devices")  # members that hold nodes of their own
MAX_TEXT = 240  # characters of a value in a cell

Option: TypeAlias = tuple[Mapping[str, Any], str]  # its schema and the URL of its description


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a node. Its pointer is `node` plus `rest`.

    `origin` is the exact reference of the version that set it; None for the version itself.
    `option` is the URL of the option's description; empty if no kind names it.
    """

    node: str
    rest: str
    text: str
    human: str
    origin: Origin
    option: str

    @property
    def pointer(self) -> str:
        """Return the value's pointer in the target."""
        return f"{self.node}{self.rest}"


@dataclass(frozen=True, slots=True)
class Group:
    """The values of one node of a target."""

    pointer: str
    kind: str
    values: tuple[Value, ...]


def groups(target: Json, provenance: Mapping[str, Origin], kinds: Kinds) -> list[Group]:
    """Return every value of a target by node, the root first."""
    return [group(node, provenance, kinds) for node in nodes(target)]


def group(
    node: Node, provenance: Mapping[str, Origin], kinds: Kinds, limit: int | None = None
) -> Group:
    """Return the first `limit` values of a node: its `kind`, its options, then hardware facts."""
    options = options_of(node, kinds)
    leaves = islice(tree_leaves(_tree(node, provenance.get), node.pointer), limit)
    values = tuple(_value(node, pointer, leaf, options) for pointer, leaf in leaves)
    return Group(node.pointer, node.kind, values)


def count(node: Node) -> int:
    """Return the number of values of a node, without those of inner nodes."""
    return sum(_count(value) for name, value in node.value.items() if name not in INNER)


def _count(value: Json) -> int:
    return sum(map(_count, value.values())) if isinstance(value, dict) else 1


def ordered(target: Json) -> Json:
    """Return the target with its members in reading order rather than canonical order."""
    if isinstance(target, list):
        return [ordered(item) for item in target]
    if not isinstance(target, dict):
        return target
    return {key: ordered(value) for key, value in sorted(target.items(), key=_order)}


def shorten(text: str) -> str:
    """Return the text, truncated to fit a cell."""
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"


def _tree(node: Node, origin_at: Callable[[str], Origin]) -> Tree:
    own = {key: value for key, value in node.value.items() if key not in INNER}
    return read_tree(dict(sorted(own.items(), key=_order)), origin_at, pointer=node.pointer)


def humanized(pointer: str, value: Json, options: Mapping[str, Option]) -> str:
    """Return the number at a pointer with its unit; empty without one. See `options_of`."""
    schema, _ = _option_at(pointer, options)
    return humanize(value, schema.get("x-unit", ""))


def options_of(node: Node, kinds: Kinds) -> Mapping[str, Option]:
    """Return each option that a node may have, by pointer."""
    return dict(_options(node, kinds))


def _option_at(pointer: str, options: Mapping[str, Option]) -> Option:
    parent = options.get(pointer.rpartition("/")[0])  # if the value is inside an object
    return options.get(pointer) or parent or ({}, "")


def _value(node: Node, pointer: str, leaf: Leaf, options: Mapping[str, Option]) -> Value:
    schema, option = _option_at(pointer, options)
    return Value(
        node=node.pointer,
        rest=pointer.removeprefix(node.pointer),
        text=json.dumps(leaf.value, ensure_ascii=False),
        human=humanize(leaf.value, schema.get("x-unit", "")),
        origin=leaf.origin,
        option=option,
    )


def _order(item: tuple[str, Any]) -> tuple[bool, bool, str]:
    """Return the sort key of a member, with `kind` first and hardware last."""
    key, _ = item
    return key == HARDWARE, key != "kind", key


def _options(node: Node, kinds: Kinds) -> Iterator[tuple[str, Option]]:
    """Yield the pointer, schema and page of each option that a node may have."""
    for parent, kind in _kinds_of_parts(node, kinds):
        page = reverse("kind", args=[kind.name])
        for name, schema in kind.schema["properties"].items():
            anchor = "" if name == "kind" else f"#option-{name}"
            yield child(parent, name), (schema, f"{page}{anchor}")


def _kinds_of_parts(node: Node, kinds: Kinds) -> Iterator[tuple[str, Kind]]:
    """Yield the kinds that describe a node and its parts, by pointer."""
    if node.kind in kinds.targets:
        yield node.pointer, kinds.targets[node.kind]
    for role in SINGLE_KINDS & node.value.keys():
        yield child(node.pointer, role), kinds[role]
    for role in COMPONENTS & node.value.keys():
        word = (node.value[role] or {}).get("kind")
        if word in kinds.components(role):
            yield child(node.pointer, role), kinds.components(role)[word]
