"""Passes over some functions of a module only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ttag.tvm.callees import called_names, calling
from ttag.tvm.loading import load

ENTRY = "main"  # the only function that some passes look at
CALLEE = "callee_"  # the prefix of functions that a function calls


def transform_functions(
    mod: Any, names: Iterable[str], transform: Callable[[Any], Any]
) -> tuple[Any, list[Any]]:
    """Return a Relax module with a pass over some of its functions, and the functions it added.

    Most passes look at all functions of a module, and some at `main` alone. So each function is
    split off first, as `main` of a module in which there is nothing else to transform.
    """
    added: list[Any] = []
    for name in sorted(names):
        mod, more = _transform(mod, name, transform)
        added += more
    return mod, added


def _transform(mod: Any, name: str, transform: Callable[[Any], Any]) -> tuple[Any, list[Any]]:
    original = mod.get_global_var(name)
    part, originals = _split_off(mod, original)
    changed = transform(part)
    builder = load("tvm.relax").BlockBuilder(mod)
    added = {
        each.name_hint: builder.add_func(function, each.name_hint)
        for each, function in changed.functions.items()
        if each.name_hint not in originals
    }
    for each, place in {ENTRY: original, **added}.items():
        function = calling(changed[each], originals | added)
        builder.update_func(place, _named(function, place.name_hint))
    return builder.get(), list(added.values())


def _split_off(mod: Any, variable: Any) -> tuple[Any, dict[str, Any]]:
    """Return a module with a function as `main`, and the variables of `mod` by their names in it.

    Relax functions that it calls are stubs there.
    """
    tvm, relax = load(), load("tvm.relax")
    builder = relax.BlockBuilder()
    moved: dict[str, Any] = {}
    for name in called_names(mod[variable]):
        function = mod[name]
        if isinstance(function, relax.Function):
            function = _stub(function, name)
        moved[name] = builder.add_func(function, CALLEE + name)
    entry = builder.add_func(_named(calling(mod[variable], moved), ENTRY), ENTRY)
    part = tvm.IRModule(builder.get().functions, attrs=mod.attrs, global_infos=mod.global_infos)
    callees = {place.name_hint: mod.get_global_var(name) for name, place in moved.items()}
    return part, {entry.name_hint: variable, **callees}


def _stub(function: Any, name: str) -> Any:
    """Return a function of the same type that only calls something external."""
    relax = load("tvm.relax")
    parameters = [relax.Var(each.name, each.ty) for each in function.params]
    call = relax.op.call_pure_packed(CALLEE + name, *parameters, ty_args=function.ret_ty)
    return relax.Function(parameters, relax.SeqExpr([], call), function.ret_ty)


def _named(function: Any, name: str) -> Any:
    """Return a function with the symbol of a name, if it has one."""
    if not function.attrs or "global_symbol" not in function.attrs:
        return function
    return function.with_attr("global_symbol", name)
