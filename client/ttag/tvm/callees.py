"""The functions that annotated Relax functions call, each for the target of its caller.

Lowering turns equal operations into one function for TIR, whoever calls it. A caller with a target
of its own gets its own copies.
"""

from __future__ import annotations

from typing import Any

from ttag.tvm.annotations import copy_annotation, descriptions_of
from ttag.tvm.errors import Misplaced
from ttag.tvm.loading import load
from ttag.tvm.placement import Placement


def with_own_callees(mod: Any) -> Any:
    """Return a lowered module in which each annotated Relax function calls its own copies."""
    relax = load("tvm.relax")
    recorded = descriptions_of(mod)
    builder = relax.BlockBuilder(mod)
    for variable, function in mod.functions.items():
        if isinstance(function, relax.Function) and variable.name_hint in recorded:
            copies = {
                callee: builder.add_func(copy_annotation(function, mod[callee]), callee)
                for callee in _callees(mod, function, recorded)
            }
            builder.update_func(variable, calling(function, copies))
    return relax.transform.AttachGlobalSymbol()(builder.get())


def refuse_vanished(mod: Any, placement: Placement) -> None:
    """Raise `Misplaced` if lowering has merged an annotated function into another one."""
    names = {name for name, each in placement.functions.items() if not each.codegen}
    if vanished := sorted(names - descriptions_of(mod).keys()):
        raise Misplaced(
            f"The pipeline has merged {vanished[0]} into a function for another target: "
            "choose a relax_pipeline that does not fuse it."
        )


def called_names(function: Any) -> list[str]:
    """Return the names of the functions that a function calls, in order."""
    structural, ir = load("tvm_ffi.structural"), load("tvm.ir")
    called: dict[str, None] = {}
    structural.structural_walk(
        function, (ir.GlobalVar, lambda callee: called.setdefault(callee.name_hint))
    )
    return list(called)


def calling(function: Any, places: dict[str, Any]) -> Any:
    """Return a function that calls others in place of those with some names."""
    structural, ir = load("tvm_ffi.structural"), load("tvm.ir")
    return structural.structural_map(
        function, (ir.GlobalVar, lambda callee: places.get(callee.name_hint, callee))
    )


def _callees(mod: Any, function: Any, recorded: Any) -> list[str]:
    """Return the functions for TIR that a Relax function calls and that are not annotated."""
    prim = load("tvm.tirx").PrimFunc
    names = called_names(function)
    return [name for name in names if name not in recorded and isinstance(mod[name], prim)]
