"""The values of a target as cells of tables: text, unit, origin, and a link to their option.

The pages of values, facts, differences and comparisons, and the preview of a profile show them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Any

from django.urls import reverse

from registry.domain.document import Json
from registry.domain.kinds.kinds import COMPONENTS, HARDWARE, SINGLE_KINDS, Kind, Kinds
from registry.domain.resolution.provenance_tree import Leaf, Origin, read_tree, tree_leaves
from registry.web.core.units import MAX_TEXT, humanize, label
from ttag_rules.echo import shorten
from ttag_rules.nodes import Node, nodes
from ttag_rules.pointer import ROOT, split_pointer

INNER = ("host", "devices")  # members that hold nodes of their own
NO_ORIGINS: Mapping[str, Origin] = MappingProxyType({})  # of values whose origin nobody shows
MAX_DEPTH = 2  # tokens of a pointer: an option, or a member of one


@dataclass(frozen=True, slots=True)
class TargetValue:
    """A value at a pointer, and the node that it is part of.

    `origin` is the exact reference of the version that set it; None for the version itself.
    `unit` is that of its option, `option` the URL of the option's description; both are empty if no
    kind names it.
    """

    pointer: str
    node: str
    value: Json
    origin: Origin = None
    unit: str = ""
    option: str = ""

    @property
    def rest(self) -> str:
        """Return the pointer inside the node."""
        return self.pointer[len(self.node) :]

    @property
    def label(self) -> str:
        """Return the words for a hardware fact, else the path of the option."""
        path = split_pointer(self.rest)
        return label(*(path[1:] or path)) if self.is_fact else "/".join(path)

    @property
    def is_fact(self) -> bool:
        """Return whether the value is a hardware fact."""
        return f"{self.rest}/".startswith(f"/{HARDWARE}/")

    @property
    def is_number(self) -> bool:
        """Return whether the value is a number."""
        return isinstance(self.value, int | float) and not isinstance(self.value, bool)

    @property
    def quantity(self) -> float | None:
        """Return the number if it has a unit, else None."""
        return float(self.value) if self.human and isinstance(self.value, int | float) else None

    @property
    def text(self) -> str:
        """Return the value as JSON."""
        return json.dumps(self.value, ensure_ascii=False)

    @property
    def short(self) -> str:
        """Return the value as JSON, truncated to fit a cell."""
        return shorten(self.text, MAX_TEXT)

    @property
    def human(self) -> str:
        """Return the number, or those of a list, with their unit; empty without one."""
        return shorten(humanize(self.value, self.unit), MAX_TEXT)

    @property
    def beside(self) -> str:
        """Return the text behind a plain value: its unit, or all if a prefix hides the number."""
        return self.human if self.raw or not self.is_number else self.human.partition(" ")[2]

    @property
    def plain(self) -> str:
        """Return the value without quotes, a list as its items."""
        if isinstance(self.value, list):
            return ", ".join(map(_plain, self.value)) or "[]"
        return _plain(self.value)

    @property
    def readable(self) -> str:
        """Return the value for people: with its unit, or else plain."""
        return self.human or self.plain

    @property
    def cell(self) -> str:
        """Return the value for people, truncated to fit a cell."""
        return shorten(self.readable, MAX_TEXT)

    @property
    def raw(self) -> str:
        """Return the plain number if a prefix of its unit hides it, else ""."""
        number = self.human.partition(" ")[0].replace(",", "")
        return self.plain if self.is_number and number not in ("", self.plain) else ""


# Decision 114: one table for values, diffs and comparisons.
class TargetValues:
    """The values of a target or a mixin: those of a node, or the one at a pointer.

    Their origins are in `provenance`; `own` is the version itself.
    """

    def __init__(
        self,
        target: Json,
        kinds: Kinds,
        provenance: Mapping[str, Origin] = NO_ORIGINS,
        *,
        own: str = "",
    ) -> None:
        self.nodes = {node.pointer: node for node in nodes(target)}
        self._target = target
        self._kinds = kinds
        self._provenance = provenance
        self._own = own
        self._node_of_parent: dict[str, str] = {}
        self._options_of_kind: dict[str, Mapping[str, tuple[str, str]]] = {}

    @cached_property
    def leaves(self) -> Mapping[str, Leaf]:
        """Return every value by its pointer, in the order of the target."""
        return dict(tree_leaves(read_tree(self._target, self._provenance.get)))

    def kind_of(self, pointer: str) -> str:
        """Return the kind of the node at a pointer; empty if there is none."""
        return self.nodes[pointer].kind if pointer in self.nodes else ""

    def node_of(self, pointer: str) -> str:
        """Return the innermost node that contains a pointer."""
        if pointer in self.nodes:
            return pointer
        parent = pointer.rpartition("/")[0]
        if parent not in self._node_of_parent:
            self._node_of_parent[parent] = self.node_of(parent) if parent else ROOT
        return self._node_of_parent[parent]

    def value(self, pointer: str, leaf: Leaf) -> TargetValue:
        """Return the cell of a value at a pointer."""
        node = self.node_of(pointer)
        unit, option = self._option(self.nodes.get(node), split_pointer(pointer[len(node) :]))
        origin = leaf.origin if leaf.origin != self._own else None
        return TargetValue(pointer, node, leaf.value, origin, unit, option)

    def of_node(self, node: Node, limit: int | None = None) -> list[TargetValue]:
        """Return the first values of a node: its `kind`, its options, then hardware facts."""
        own = {key: value for key, value in node.value.items() if key not in INNER}
        members = dict(sorted(own.items(), key=_order))
        return [*islice(self.inside(node.pointer, members), limit)]

    def inside(self, pointer: str, part: Json) -> Iterator[TargetValue]:
        """Yield the values of a part of the target."""
        tree = read_tree(part, self._provenance.get, pointer=pointer)
        for place, leaf in tree_leaves(tree, pointer):
            yield self.value(place, leaf)

    def _option(self, node: Node | None, path: Sequence[str]) -> tuple[str, str]:
        """Return the unit and the page of the option that a value of a node belongs to."""
        if node is None or not path:
            return "", ""
        role, *inside = path
        part, kind = self._kind_of_part(node, role), self._kinds.targets.get(node.kind)
        if part and inside and len(inside) <= MAX_DEPTH and inside[0] in self._options(part):
            return self._options(part)[inside[0]]
        if kind and len(path) <= MAX_DEPTH:
            return self._options(kind).get(role, ("", ""))
        return "", ""

    def _kind_of_part(self, node: Node, role: str) -> Kind | None:
        """Return the kind that describes a part of a node, such as its executor."""
        if role in SINGLE_KINDS:
            return self._kinds[role]
        part = node.value.get(role)
        if role not in COMPONENTS or not isinstance(part, dict):
            return None
        return self._kinds.components(role).get(part.get("kind", ""))

    def _options(self, kind: Kind) -> Mapping[str, tuple[str, str]]:
        """Return the unit and the page of each option of a kind."""
        if kind.name not in self._options_of_kind:
            page = reverse("kind", args=[kind.name])
            options = {
                name: (schema.get("x-unit", ""), f"{page}#option-{name}")
                for name, schema in kind.schema["properties"].items()
            }
            self._options_of_kind[kind.name] = options | {"kind": ("", page)}
        return self._options_of_kind[kind.name]


def count(node: Node) -> int:
    """Return the number of values of a node, without those of inner nodes."""
    return sum(_count(value) for name, value in node.value.items() if name not in INNER)


def ordered(target: Json) -> Json:
    """Return the target with its members in reading order rather than canonical order."""
    if isinstance(target, list):
        return [ordered(item) for item in target]
    if not isinstance(target, dict):
        return target
    return {key: ordered(value) for key, value in sorted(target.items(), key=_order)}


def _count(value: Json) -> int:
    return sum(map(_count, value.values())) if isinstance(value, dict) else 1


def _order(item: tuple[str, Any]) -> tuple[bool, bool, str]:
    """Return the sort key of a member, with `kind` first and hardware last."""
    key, _ = item
    return key == HARDWARE, key != "kind", key


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
