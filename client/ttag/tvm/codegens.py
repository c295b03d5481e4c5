"""Parts of a module that external code generators compile (BYOC).

A code generator is a global function `relax.ext.<codegen>`, which TVM calls with the functions to
compile; patterns whose names begin with `<codegen>.` say what it can compile. Its options are those
of its node: `target`, with host, devices and libraries, and `executor`, `runtime` and `flow`, if
stated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ttag.tvm.errors import CodegenUnusable
from ttag.tvm.loading import load
from ttag.tvm.losses import Lossiness, report_unused
from ttag.tvm.placement import Placement

PREFIX = "relax.ext."
ATTRIBUTE = "Codegen"
SETTINGS = ("executor", "runtime", "flow")
OffloadNode: TypeAlias = "tuple[Mapping[str, Any], Mapping[str, Any]]"  # target, and settings


def offload(mod: Any, placement: Placement, lossy: Lossiness) -> Any:
    """Return a Relax module whose offloaded parts are compiled. Raises `CodegenUnusable`."""
    for name, description in placement.functions.items():
        if description.codegen:
            mod = _assign(mod, name, description.codegen)
    nodes = codegens(placement)
    for codegen in nodes:
        _refuse_missing(codegen, placement.root.origin.reference)
        mod = _partition(mod, codegen)
        if not _has_part_for(mod, codegen):
            report_unused(codegen, placement.root, lossy)
    if not nodes:
        return mod
    return load("tvm.relax.transform").RunCodegen(
        {codegen: _options(node) for codegen, node in nodes.items()}
    )(mod)


def codegens(placement: Placement) -> dict[str, OffloadNode]:
    """Return the code generators that a build asks for, with the nodes that ask for them.

    Raises `CodegenUnusable` if one has several targets, as TVM calls it once.
    """
    chosen: dict[str, OffloadNode] = {}
    for codegen, node in _requests(placement):
        if chosen.setdefault(codegen, node) != node:
            raise CodegenUnusable(
                f"{placement.root.origin.reference} has several targets for the code generator "
                f"{codegen}: compile for one of them at a time."
            )
    for description in placement.descriptions:
        for codegen in description.flow.get("enable-byoc", ()):
            chosen.setdefault(codegen, (description.target, {}))
    return chosen


def _requests(placement: Placement) -> Iterator[tuple[str, OffloadNode]]:
    for description in placement.descriptions:
        nodes = {place: node for place, _, node in description.nodes()} | {"": description.target}
        for place, entry in description.build.items():
            if "codegen" in entry:
                settings = {name: entry[name] for name in SETTINGS if name in entry}
                yield entry["codegen"], (nodes[place], settings)


def _options(node: OffloadNode) -> dict[str, Any]:
    target, settings = node
    return {"target": load("tvm.target").Target(dict(target)), **settings}


def _refuse_missing(codegen: str, reference: str) -> None:
    registry = load("tvm_ffi.registry")
    names = [str(name) for name in registry.list_global_func_names()]
    registered = sorted(name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX))
    if codegen not in registered:
        raise CodegenUnusable(
            f"{reference} has the code generator {codegen}, but {PREFIX}{codegen} is not "
            f"registered; this TVM has {', '.join(registered) or 'none'}."
        )


def _partition(mod: Any, codegen: str) -> Any:
    """Return the module with everything that the patterns of a code generator match set apart."""
    relax = load("tvm.relax")
    patterns = relax.backend.get_patterns_with_prefix(f"{codegen}.")
    if patterns:
        mod = relax.transform.FuseOpsByPattern(
            patterns, bind_constants=False, annotate_codegen=True
        )(mod)
    return mod


def _has_part_for(mod: Any, codegen: str) -> bool:
    return any(_codegen_of(function) == codegen for _, function in mod.functions.items())


def _assign(mod: Any, name: str, codegen: str) -> Any:
    """Return the module with one function given to a code generator."""
    relax = load("tvm.relax")
    variable = mod.get_global_var(name)
    function = mod[variable]
    if not isinstance(function, relax.Function):
        raise CodegenUnusable(
            f"{name} is for the code generator {codegen}, which takes Relax functions only."
        )
    assigned = mod.clone()
    assigned.update_func(
        variable, function.with_attr(ATTRIBUTE, codegen).with_attr("global_symbol", name)
    )
    return assigned


def _codegen_of(function: Any) -> str:
    attributes = function.attrs
    return str(attributes[ATTRIBUTE]) if attributes and ATTRIBUTE in attributes else ""


def refuse_without_relax(placement: Placement) -> None:
    """Raise `CodegenUnusable` if a build without Relax functions asks for code generators."""
    for description in placement.descriptions:
        if description.codegen:
            raise CodegenUnusable(
                f"{description.origin.reference} has the code generator {description.codegen}, "
                "which takes Relax functions, but the module has none."
            )
