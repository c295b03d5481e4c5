"""Passes over some functions of a module only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttag.tvm.loading import load


def transform_functions(
    mod: Any, names: frozenset[str], transform: Callable[[Any], Any]
) -> tuple[Any, list[Any]]:
    """Return a Relax module with a pass over some of its functions, and the functions it added.

    These are split off first: most passes look at all functions of a module.
    """
    chosen = {each: mod[each] for each in mod.get_global_vars() if each.name_hint in names}
    if not chosen:
        return mod, []
    tvm, relax = load(), load("tvm.relax")
    changed = transform(tvm.IRModule(chosen, attrs=mod.attrs, global_infos=mod.global_infos))
    builder = relax.BlockBuilder(mod)
    added = {
        variable.name_hint: builder.add_func(function, variable.name_hint)
        for variable, function in changed.functions.items()
        if variable.name_hint not in names
    }
    for variable, function in changed.functions.items():
        place = added.get(variable.name_hint, variable)
        builder.update_func(_variable(builder, place), _named(_calling(function, added), place))
    result = builder.get()
    return result, [result[each] for each in added.values()]


def _variable(builder: Any, variable: Any) -> Any:
    return builder.get().get_global_var(variable.name_hint)


def _named(function: Any, variable: Any) -> Any:
    """Return a function with the symbol of its name, which another function may have had."""
    if not function.attrs or "global_symbol" not in function.attrs:
        return function
    return function.with_attr("global_symbol", variable.name_hint)


def _calling(function: Any, renamed: dict[str, Any]) -> Any:
    structural, ir = load("tvm_ffi.structural"), load("tvm.ir")
    return structural.structural_map(
        function, (ir.GlobalVar, lambda callee: renamed.get(callee.name_hint, callee))
    )
