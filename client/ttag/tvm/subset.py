"""Passes over some functions of a module only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ttag.tvm.loading import load

ENTRY = "main"  # the only function that some passes look at


def transform_functions(
    mod: Any, names: Iterable[str], transform: Callable[[Any], Any]
) -> tuple[Any, list[Any]]:
    """Return a Relax module with a pass over some of its functions, and the functions it added.

    Each is split off first, as the only function: most passes look at all functions of a module,
    and some at `main` alone.
    """
    added: list[Any] = []
    for name in sorted(names):
        mod, more = _transform(mod, name, transform)
        added += more
    return mod, added


def _transform(mod: Any, name: str, transform: Callable[[Any], Any]) -> tuple[Any, list[Any]]:
    tvm, relax, ir = load(), load("tvm.relax"), load("tvm.ir")
    original = mod.get_global_var(name)
    entry = original if name == ENTRY else ir.GlobalVar(ENTRY)
    functions = {entry: _named(mod[original], entry)}
    part = tvm.IRModule(functions, attrs=mod.attrs, global_infos=mod.global_infos)
    changed = transform(part)
    builder = relax.BlockBuilder(mod)
    places = {
        variable: builder.add_func(function, variable.name_hint)
        for variable, function in changed.functions.items()
        if variable.name_hint != ENTRY
    }
    for variable, function in changed.functions.items():
        place = places.get(variable, original)
        builder.update_func(place, _named(_calling(function, places), place))
    return builder.get(), list(places.values())


def _named(function: Any, variable: Any) -> Any:
    """Return a function with the symbol of a name, if it has one."""
    if not function.attrs or "global_symbol" not in function.attrs:
        return function
    return function.with_attr("global_symbol", variable.name_hint)


def _calling(function: Any, places: dict[Any, Any]) -> Any:
    structural, ir = load("tvm_ffi.structural"), load("tvm.ir")
    return structural.structural_map(
        function, (ir.GlobalVar, lambda callee: places.get(callee, callee))
    )
