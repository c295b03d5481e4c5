"""The account of a target: every value, and what becomes of it in a build."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ttag.tvm.accounting.libraries import OTHER_KIND
from ttag.tvm.accounting.outcomes import Build, Irrelevant, Lost, Outcome, Step
from ttag.tvm.accounting.table import COMPILED, UNKNOWN, outcome
from ttag.tvm.built_nodes import BuiltNode, Position, host_of
from ttag.tvm.description import Description
from ttag.tvm.placement import Placement
from ttag_rules.flow_names import current_name
from ttag_rules.nodes import DEVICES, HOST, Node
from ttag_rules.pointer import child

FACTS = Irrelevant("no compiler reads facts for people")
INEXPRESSIBLE = Lost("the format tvm cannot express it: remove it")
UNCALLED = Lost("no node in it that is compiled can call it: remove it")
HARDWARE = "hardware"
PARTS = frozenset({HOST, DEVICES})
COMPONENTS = ("executor", "runtime")
# They take nothing from the nodes around them: a code generator gets what its node states, and a
# host that only launches kernels is lowered with its device.
ALONE = frozenset({Position.IDLE_HOST, Position.OFFLOADED, Position.HOST})


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a target, by its pointer, and what becomes of it."""

    pointer: str
    value: Any
    outcome: Outcome


def account(placement: Placement, description: Description, build: Build) -> list[Entry]:
    """Return an entry for every value of one of the targets that a module is compiled for."""
    known = description.nodes()
    built = {each.node.pointer: each for each in built_nodes(placement, description)}
    entries = [
        entry for node in known for entry in _entries(_Reading(description, node, built), build)
    ]
    pointers = {entry.pointer for entry in entries}
    dropped = [each for each in description.dropped if each not in pointers]
    return entries + [
        Entry(each, None, FACTS if each.endswith(f"/{HARDWARE}") else INEXPRESSIBLE)
        for each in dropped
    ]


def compiled_nodes(placement: Placement, description: Description) -> list[Node]:
    """Return the nodes of a target that TVM generates code for."""
    by_pointer = {each.node.pointer: each for each in built_nodes(placement, description)}
    return [each.node for each in by_pointer.values() if each.position in COMPILED]


def built_nodes(placement: Placement, description: Description) -> Iterator[BuiltNode]:
    """Yield the nodes of a target that a build reads; of those at one place, the last counts."""
    known = {node.pointer: node for node in description.nodes()}
    is_root = description.origin == placement.root.origin
    compiled = _compiled(placement, description, known) if is_root else ()
    own = (built for built in placement.nodes.values() if built.description == description)
    leaves = [*compiled] if is_root else [*own]
    hosts = [host for leaf in leaves if (host := host_of(leaf))]
    yield from (host for host in hosts if host.position is Position.IDLE_HOST)
    yield from (host for host in hosts if host.position is not Position.IDLE_HOST)
    yield from (
        BuiltNode(description, node, Position.OFFLOADED)
        for node in known.values()
        if any("codegen" in each.value for each in (node, *node.enclosing))
    )
    yield from leaves


def _compiled(
    placement: Placement, root: Description, known: Mapping[str, Node]
) -> Iterator[BuiltNode]:
    names = {each.origin.reference for each in placement.functions.values()}
    for pointer, node in known.items():
        if pointer and root.name_of(pointer) in names and node.is_leaf:
            placed = BuiltNode(root, node, Position.PLACED)
            yield placed
            if host := host_of(placed):
                yield BuiltNode(root, host.node, Position.PLACED)
    yield from (node for same in placement.virtual_devices.values() for node in same)
    yield placement.main


@dataclass(frozen=True, slots=True)
class _Reading:
    """A node whose values are accounted for, and the nodes of its target that a build reads."""

    description: Description
    node: Node
    built: Mapping[str, BuiltNode]

    @property
    def itself(self) -> BuiltNode:
        """The node in its position; one that only encloses others is around them."""
        if self.node.pointer in self.built:
            return self.built[self.node.pointer]
        is_around = any(self.node.pointer in _pointers(each) for each in self.built.values())
        position = Position.AROUND if is_around else Position.UNPLACED
        return BuiltNode(self.description, self.node, position)

    def readers(self, component: str, setting: str = "") -> list[BuiltNode]:
        """Return the nodes that take an executor, a runtime or a setting from this node."""
        readers = [
            built
            for built in self.built.values()
            if _owner(built, component, setting) == self.node.pointer
        ]
        if readers:
            return readers
        itself = self.itself
        if itself.position is Position.AROUND:
            return [BuiltNode(self.description, self.node, Position.OVERRIDDEN)]
        return [itself]


def _entries(reading: _Reading, build: Build) -> Iterator[Entry]:
    """Yield an entry for every value of a node itself."""
    node = reading.node
    for name, value in node.value.items():
        pointer = child(node.pointer, name)
        if name in PARTS:
            continue
        if name == HARDWARE:
            yield Entry(pointer, value, FACTS)
        elif name in COMPONENTS:
            readers, kind = reading.readers(name), f"{name}/{value.get('kind')}"
            for option, item in value.items():
                outcomes = [_outcome((kind, option), item, each, build) for each in readers]
                yield Entry(child(pointer, option), item, _common(outcomes))
        elif name == "flow":
            for option, item in value.items():
                readers = reading.readers(name, current_name(option))
                outcomes = [_outcome((name, option), item, each, build) for each in readers]
                yield Entry(child(pointer, option), item, _common(outcomes))
        elif name == "libs" and node.kind != "byoc":
            yield from _libraries(reading, pointer, value, build)
        else:
            yield Entry(pointer, value, _outcome((node.kind, name), value, reading.itself, build))


def _outcome(row: tuple[str, str], value: Any, reader: BuiltNode, build: Build) -> Outcome:
    rule = outcome(*row, reader.position)
    if rule is None:
        return UNKNOWN
    return rule(value, reader, build) if callable(rule) else rule


def _common(outcomes: list[Outcome]) -> Outcome:
    """Return the outcome of a value with several readers: it is lost if one of them loses it."""
    for kind in (Lost, Step):
        for each in outcomes:
            if isinstance(each, kind):
                return each
    return outcomes[0]


def _libraries(reading: _Reading, pointer: str, names: list[str], build: Build) -> Iterator[Entry]:
    """Yield an entry for each library, which the nodes inside a node can call, too."""
    inside = [
        built
        for built in reading.built.values()
        if reading.node.pointer in _pointers(built) and built.position not in ALONE
    ]
    readers = {each.node.pointer: each for each in inside}.values() or [reading.itself]
    for index, name in enumerate(names):
        outcomes = [_outcome((each.node.kind, "libs"), name, each, build) for each in readers]
        common = UNCALLED if set(outcomes) == {OTHER_KIND} else _common(outcomes)
        yield Entry(child(pointer, index), name, common)


def _pointers(built: BuiltNode) -> set[str]:
    return {node.pointer for node in (built.node, *built.node.enclosing)}


def _owner(built: BuiltNode, component: str, setting: str) -> str | None:
    """Return the pointer of the node that states what a node is built with."""
    around = () if built.position in ALONE else built.node.enclosing
    for node in (built.node, *around):
        stated = node.value.get(component)
        if stated is not None and (not setting or setting in map(current_name, stated)):
            return node.pointer
    return None
