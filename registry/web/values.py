"""A target's values one by one: what each is, in what unit, and which version set it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from registry.domain.composition import Node, nodes
from registry.domain.document import Json
from registry.domain.kinds import COMPONENTS, HARDWARE, SINGLE, Kind, Kinds
from registry.domain.pointer import child
from registry.domain.tree import Origin, leaves, read
from registry.web.units import SCALED, humanised, label

MAX_VALUES = 120  # rows; the largest target of the catalogue has 60
INNER = ("host", "devices")  # hold nodes of their own


@dataclass(frozen=True, slots=True)
class Value:
    """One value. `origin` is the exact reference that set it; None: the version itself."""

    pointer: str
    text: str
    human: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Group:
    """The values of one node of a target."""

    pointer: str
    kind: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a machine; `raw` is the number where a unit's prefix hides it, else empty."""

    label: str
    shown: str
    raw: str


@dataclass(frozen=True, slots=True)
class Machine:
    """The hardware facts of one node, and the pages that state them."""

    pointer: str
    facts: tuple[Fact, ...]
    sources: tuple[str, ...]


def groups(target: Json, provenance: Mapping[str, Origin], kinds: Kinds) -> list[Group]:
    """Every value of a target by node: the root first, a node's `kind` before its options."""
    return [
        Group(node.pointer, node.kind, tuple(_values(node, provenance.get, kinds)))
        for node in nodes(target)
    ]


def first(found: list[Group], most: int = MAX_VALUES) -> list[Group]:
    """As many groups, and of the last as many values, as make `most` rows."""
    kept, left = [], most
    for group in found:
        if left <= 0:
            break
        kept.append(Group(group.pointer, group.kind, group.values[:left]))
        left -= len(group.values)
    return kept


def _values(node: Node, origin_at: Callable[[str], Origin], kinds: Kinds) -> Iterator[Value]:
    own = {key: value for key, value in node.value.items() if key not in INNER}
    units = dict(_units(node, kinds))
    tree = read(dict(sorted(own.items(), key=_order)), origin_at, pointer=node.pointer)
    for pointer, leaf in leaves(tree, node.pointer):
        unit = units.get(pointer) or units.get(pointer.rpartition("/")[0], "")
        text = json.dumps(leaf.value, ensure_ascii=False)
        yield Value(pointer, text, humanised(leaf.value, unit), leaf.origin)


def _order(item: tuple[str, Any]) -> tuple[bool, bool, str]:
    """What it is comes first, what no compiler reads last."""
    key, _ = item
    return key == HARDWARE, key != "kind", key


def _units(node: Node, kinds: Kinds) -> Iterator[tuple[str, str]]:
    """The unit of each option that has one, by pointer."""
    for place, kind in _described(node, kinds):
        for name, schema in kind.schema["properties"].items():
            if "x-unit" in schema:
                yield child(place, name), schema["x-unit"]


def _described(node: Node, kinds: Kinds) -> Iterator[tuple[str, Kind]]:
    """The kinds that describe a node's options and the parts that stand in it."""
    if node.kind in kinds.targets:
        yield node.pointer, kinds.targets[node.kind]
    for role in SINGLE & node.value.keys():
        yield child(node.pointer, role), kinds[role]
    for role in COMPONENTS & node.value.keys():
        word = (node.value[role] or {}).get("kind")
        if word in kinds.components(role):
            yield child(node.pointer, role), kinds.components(role)[word]


def machines(target: Json, kinds: Kinds, most: int = 8) -> list[Machine]:
    """The hardware facts of a target's nodes, each set of facts once."""
    found: dict[str, Machine] = {}
    for node in nodes(target):
        facts = node.value.get(HARDWARE)
        if facts:
            found.setdefault(json.dumps(facts), _machine(node.pointer, facts, kinds[HARDWARE]))
    return list(islice(found.values(), most))


def _machine(pointer: str, facts: Mapping[str, Any], kind: Kind) -> Machine:
    sources = facts.get("sources") or ()
    known = tuple(_facts(facts, kind.schema["properties"]))
    return Machine(pointer, known, tuple(sources))


def _facts(facts: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[Fact]:
    """Facts in the order of the schema, which goes from who made it to how."""
    for name in (name for name in options if name in facts and name != "sources"):
        unit, value = options[name].get("x-unit", ""), facts[name]
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for part, number in parts:
            plain = number if isinstance(number, str) else json.dumps(number)
            raw = plain if unit in SCALED else ""
            yield Fact(f"{label(name)} {part}".strip(), humanised(number, unit) or plain, raw)
