"""Lowers and builds the parts of a module, and joins them to one library."""

from __future__ import annotations

from typing import Any

from ttag.tvm.artefacts import check
from ttag.tvm.loading import load
from ttag.tvm.pass_settings import pass_context
from ttag.tvm.splitting import Part

# Calls of a symbol, which TVM writes for compiled Relax functions, and the prefix of symbols.
CALLS_BY_SYMBOL = frozenset({"tirx.tvm_call_cpacked", "tirx.anylist_setitem_call_cpacked"})
SYMBOL = "__tvm_ffi_"


# Decision 088: TVM builds for one CPU at a time, so a composite has parts.
def build_linked(parts: list[Part], attrs: Any, pipeline: Any) -> Any:
    """Return the library of parts that call each other by symbol.

    In memory, each part is loaded by itself, and the symbol of another part would be missing. TVM
    links whatever imports C code before it runs it, so the library imports some: no functions.
    """
    names = {variable.name_hint for part in parts for variable in part.functions}
    library = build_parts([_with_symbols(part, names) for part in parts], attrs, pipeline)
    if len(parts) > 1:
        tvm = load()
        library.import_module(tvm.tirx.build(tvm.IRModule({}), target=tvm.target.Target("c")))
    return library


def build_parts(parts: list[Part], attrs: Any, pipeline: Any) -> Any:
    """Return the library of the first part, which imports those of the others."""
    main, *others = [_build(part, attrs, pipeline) for part in parts]
    for other in others:
        main.import_module(other)
    return main


def _with_symbols(part: Part, names: set[str]) -> Part:
    """Return a part that calls functions of other parts by the symbols that these will have."""
    ir, structural = load("tvm.ir"), load("tvm_ffi.structural")
    others = names - {variable.name_hint for variable in part.functions}

    def by_symbol(call: Any) -> Any:
        if getattr(call.op, "name", "") not in CALLS_BY_SYMBOL:
            return call
        arguments = [
            ir.StringImm(SYMBOL + each.value)
            if isinstance(each, ir.StringImm) and each.value in others
            else each
            for each in call.args
        ]
        return ir.Call(call.op, arguments, call.attrs, call.ty_args, call.span, ret_ty=call.ty)

    functions = {
        variable: structural.structural_map(function, (ir.Call, by_symbol))
        for variable, function in part.functions.items()
    }
    return Part(part.target, part.node, functions)


def _build(part: Part, attrs: Any, pipeline: Any) -> Any:
    tvm = load()
    functions = {
        variable: _with_host(function, part.host) for variable, function in part.functions.items()
    }
    with pass_context(part.node):
        mod = tvm.IRModule(functions, attrs=attrs)
        library = tvm.tirx.build(mod, target=part.target, pipeline=pipeline)
    check(library, functions, part.target, part.host)
    return library


def _with_host(function: Any, host: Any) -> Any:
    """Return a function whose own target, if it is a device, has the host of its part."""
    own = function.attrs.get("target") if function.attrs else None
    return function if own is None else function.with_attr("target", own.with_host(host))
