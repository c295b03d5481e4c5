"""The parts of a module that are built each by itself.

TVM compiles all functions for CPUs of one build for the same CPU, that of the host, whatever their
targets say, and lowers all in one `PassContext`. So there is one part for each host and its
settings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ttag.canonical_json import canonical
from ttag.tvm.built_nodes import BuiltNode
from ttag.tvm.description import CPU_KINDS
from ttag.tvm.errors import Misplaced
from ttag.tvm.loading import load
from ttag.tvm.pass_settings import pass_config
from ttag.tvm.placement import Placement, target_of


@dataclass(slots=True)
class Part:
    """Functions for TIR that are built together, and the target of those that state none."""

    target: Any
    node: BuiltNode
    functions: dict[Any, Any] = field(default_factory=dict)

    @property
    def host(self) -> Any:
        """The CPU that runs the functions, or calls those of a device."""
        return _host_of(self.target)


def split(mod: Any, placement: Placement) -> list[Part]:
    """Return the parts of a module of functions for TIR, the main part first.

    Raises `Misplaced` if they cannot be in one library.
    """
    main = Part(load("tvm.target").Target(placement.main.target), placement.main)
    parts = {_key(main.host, main.node): main}
    for variable, function in mod.functions.items():
        node = placement.node_of(variable.name_hint, function)
        host = _host_of(target_of(function) or main.target, main.host)
        part = parts.setdefault(_key(host, node), Part(host, node))
        part.functions[variable] = function
    chosen = [part for part in parts.values() if part.functions] or [main]
    _refuse_other_machines(chosen, placement)
    for part in chosen:
        _refuse_calls_between(part)
    return chosen


def _key(host: Any, node: BuiltNode) -> tuple[str, bytes]:
    return str(host), canonical(pass_config(node))


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
