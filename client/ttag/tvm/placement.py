"""The targets of the functions of a module, and the parts that are built each by itself.

TVM compiles all functions for CPUs of one build for the same CPU, that of the host, whatever their
targets say. So there is one part for each host.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ttag.canonical_json import canonical
from ttag.tvm.annotations import MODULE
from ttag.tvm.description import CPU_KINDS, Description, compiled_target
from ttag.tvm.errors import Misplaced
from ttag.tvm.loading import load


@dataclass(frozen=True, slots=True)
class Placement:
    """The target of a module, and those of its functions that have one of their own."""

    root: Description
    functions: Mapping[str, Description]

    @classmethod
    def of(cls, root: Description | None, recorded: Mapping[str, Description]) -> Placement:
        """Return the placement that a module records; `root` comes before the module's own.

        Raises `Misplaced` if nothing says what the module is for.
        """
        functions = {name: each for name, each in recorded.items() if name != MODULE}
        root = root or recorded.get(MODULE)
        if root is None:
            raise Misplaced(
                "The module records no target of its own: call compile(mod, reference), "
                "or annotate(mod, reference) before."
            )
        return cls(root, functions)

    @property
    def descriptions(self) -> list[Description]:
        """The different descriptions, that of the module first."""
        by_reference = {each.origin: each for each in (self.root, *self.functions.values())}
        return list(by_reference.values())

    @property
    def compiled(self) -> list[Description]:
        """The descriptions that TVM itself follows; code generators have settings of their own."""
        return [description for description in self.descriptions if not description.codegen]

    @property
    def main(self) -> Mapping[str, Any]:
        """The target of functions without one of their own: for a composite, its host."""
        if not self.root.is_composite:
            return compiled_target(self.root.target)
        host = self.root.target.get("host")
        if host is None:
            raise Misplaced(
                f"{self.root.origin.reference} has no host to call its devices from: "
                "compile for a node or a tag that has one."
            )
        return compiled_target(host)

    def refuse_host_alone(self) -> None:
        """Raise `Misplaced` if a composite has devices that are not its host."""
        if not self.root.is_composite:
            return
        leaves = [node for _, _, node in self.root.nodes() if node["kind"] != "composite"]
        if all(compiled_target(leaf) == self.main for leaf in leaves):
            return
        raise Misplaced(
            f"{self.root.origin.reference} is a composite, and TVM would build everything for its "
            f'host: assign functions with annotate(mod, {{"name": "{_example(self.root)}"}}).'
        )

    def with_functions(self, functions: Mapping[str, Description]) -> Placement:
        """Return the placement with other functions, after lowering has changed them."""
        return Placement(self.root, functions)


@dataclass(slots=True)
class Part:
    """Functions for TIR that are built together, and the target of those that state none."""

    target: Any
    description: Description
    functions: dict[Any, Any] = field(default_factory=dict)

    @property
    def host(self) -> Any:
        """The CPU that runs the functions, or calls those of a device."""
        return _host_of(self.target)


def split(mod: Any, placement: Placement) -> list[Part]:
    """Return the parts of a module of functions for TIR, the main part first.

    Raises `Misplaced` if they cannot be in one library.
    """
    create = load("tvm.target").Target
    main = Part(create(dict(placement.main)), placement.root)
    parts = {_key(main.host, main.description): main}
    for variable, function in mod.functions.items():
        description = placement.functions.get(variable.name_hint, placement.root)
        host = _host_of(_target_of(function) or main.target, main.host)
        part = parts.setdefault(_key(host, description), Part(host, description))
        part.functions[variable] = function
    chosen = [part for part in parts.values() if part.functions] or [main]
    _refuse_other_machines(chosen, placement)
    for part in chosen:
        _refuse_calls_between(part)
    return chosen


def _key(host: Any, description: Description) -> tuple[str, bytes]:
    return str(host), canonical(dict(description.pass_config))


def _target_of(function: Any) -> Any:
    return function.attrs.get("target") if function.attrs else None


def _host_of(target: Any, default: Any = None) -> Any:
    """Return the CPU that a target is, or the host of a device."""
    if target.kind.name in CPU_KINDS:
        return target
    return target.host or default or load("tvm.target").Target("llvm")


def _refuse_other_machines(parts: list[Part], placement: Placement) -> None:
    """Refuse parts for several architectures, which no linker joins."""
    triples = [str(part.host.attrs.get("mtriple", "")) for part in parts]
    architectures = {triple.partition("-")[0] for triple in triples if triple}
    if len(architectures) > 1:
        raise Misplaced(
            f"One library is for one machine, but functions for {placement.root.origin.reference} "
            f"are for {' and '.join(sorted(architectures))}: compile them one after the other."
        )


def _refuse_calls_between(part: Part) -> None:
    """Refuse direct calls of a function in another part, which would be an undefined symbol."""
    structural, ir = load("tvm_ffi.structural"), load("tvm.ir")
    names = {variable.name_hint for variable in part.functions}
    for variable, function in part.functions.items():
        called: set[str] = set()
        structural.structural_walk(
            function.body,
            (ir.GlobalVar, lambda callee, called=called: called.add(callee.name_hint)),
        )
        if outside := sorted(called - names):
            raise Misplaced(
                f"{variable.name_hint} calls {outside[0]}, which is built for another target: "
                "annotate both with the same reference, or call it from a Relax function."
            )


def _example(root: Description) -> str:
    pointer = next(name for _, name, node in root.nodes() if node["kind"] != "composite")
    reference = root.origin.reference
    return f"{reference}{pointer}" if "#" in reference else f"{reference}#{pointer}"
