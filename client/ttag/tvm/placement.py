"""The nodes that the functions of a module are compiled for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ttag.tvm.annotations import MODULE, descriptions_of
from ttag.tvm.built_nodes import BuiltNode, Position
from ttag.tvm.description import Description, Origin, leaf_devices
from ttag.tvm.errors import Misplaced
from ttag.tvm.loading import load
from ttag.tvm.virtual_devices import virtual_nodes
from ttag_rules.nodes import HOST


@dataclass(frozen=True, slots=True)
class Placement:
    """The target of a module, and those of its functions that have one of their own.

    `main` is the node of functions without a target; `nodes` has those of annotated functions by
    name, and `virtual_devices` those that virtual devices stand for, by kind.
    """

    root: Description
    functions: Mapping[str, Description]
    main: BuiltNode
    nodes: Mapping[str, BuiltNode]
    virtual_devices: Mapping[str, list[BuiltNode]]

    @classmethod
    def of(cls, root: Description | None, mod: Any) -> Placement:
        """Return the placement that a module records; `root` comes before the module's own.

        Raises `Misplaced` if nothing says what the module is for.
        """
        recorded = descriptions_of(mod)
        functions = {name: each for name, each in recorded.items() if name != MODULE}
        root = root or recorded.get(MODULE)
        if root is None:
            raise Misplaced(
                "The module records no target of its own: call compile(mod, reference), "
                "or annotate(mod, reference) before."
            )
        origins = {name: each.origin for name, each in functions.items()}
        relax = _by_origin(relax_functions(mod), origins, root.origin)
        main = main_node(root, relax.get(root.origin, frozenset()))
        return cls(
            root,
            functions,
            main,
            _function_nodes(functions, relax),
            virtual_nodes(mod, main),
        )

    @property
    def descriptions(self) -> list[Description]:
        """The different descriptions, that of the module first."""
        by_reference = {each.origin: each for each in (self.root, *self.functions.values())}
        return list(by_reference.values())

    @property
    def compiled(self) -> list[BuiltNode]:
        """The nodes that TVM compiles for; code generators have settings of their own."""
        virtual = [node for same in self.virtual_devices.values() for node in same]
        return [self.main, *virtual, *self.nodes.values()]

    @property
    def functional(self) -> list[BuiltNode]:
        """The nodes that Relax functions are compiled for: the main one, and each annotated one."""
        by_origin = {node.description.origin: node for node in self.nodes.values()}
        by_origin.pop(self.root.origin, None)
        return [node for node in (self.main, *by_origin.values()) if node.functions]

    def refuse_host_alone(self) -> None:
        """Raise `Misplaced` if a composite has devices that are not its host."""
        if not self.root.is_composite:
            return
        leaves = [BuiltNode(self.root, node, Position.UNPLACED) for node in leaf_devices(self.root)]
        if all(leaf.target == self.main.target for leaf in leaves):
            return
        raise Misplaced(
            f"{self.root.origin.reference} is a composite, and TVM would build everything for its "
            f'host: assign functions with annotate(mod, {{"name": "{leaves[0].name}"}}).'
        )

    def with_functions(self, functions: Mapping[str, Description]) -> Placement:
        """Return the placement with other functions, after lowering has changed them."""
        return replace(self, functions=functions, nodes=_function_nodes(functions, {}))

    def node_of(self, name: str, function: Any) -> BuiltNode:
        """Return the node that a function for TIR is compiled for."""
        if name in self.nodes:
            return self.nodes[name]
        target = target_of(function)
        kind = "" if target is None else target.kind.name
        return self.virtual_devices[kind][0] if kind in self.virtual_devices else self.main


def relax_functions(mod: Any) -> list[str]:
    """Return the names of the Relax functions of a module."""
    relax = load("tvm.relax").Function
    return [
        variable.name_hint
        for variable, function in mod.functions.items()
        if isinstance(function, relax)
    ]


def _by_origin(
    names: list[str], origins: Mapping[str, Origin], default: Origin
) -> dict[Origin, frozenset[str]]:
    groups: dict[Origin, frozenset[str]] = {}
    for name in names:
        origin = origins.get(name, default)
        groups[origin] = groups.get(origin, frozenset()) | {name}
    return groups


def _function_nodes(
    functions: Mapping[str, Description], relax: Mapping[Origin, frozenset[str]]
) -> dict[str, BuiltNode]:
    nodes = {
        each.origin: BuiltNode(
            each, each.nodes()[0], Position.FUNCTION, relax.get(each.origin, frozenset())
        )
        for each in functions.values()
        if not each.codegen
    }
    return {name: nodes[each.origin] for name, each in functions.items() if each.origin in nodes}


def main_node(root: Description, relax: frozenset[str]) -> BuiltNode:
    """Return the node of functions without one of their own: for a composite, its host."""
    node, *inner = root.nodes()
    if root.is_composite:
        hosts = [each for each in inner if each.pointer == f"/{HOST}"]
        if not hosts:
            raise Misplaced(
                f"{root.origin.reference} has no host to call its devices from: "
                "compile for a node or a tag that has one."
            )
        node = hosts[0]
    return BuiltNode(root, node, Position.MODULE, relax)


def target_of(function: Any) -> Any:
    """Return the target that a function for TIR has as an attribute, or None."""
    return function.attrs.get("target") if function.attrs else None
