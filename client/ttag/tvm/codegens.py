"""Parts of a module that external code generators compile (BYOC).

A code generator is a global function `relax.ext.<codegen>`, which TVM calls with the functions to
compile; patterns whose names begin with `<codegen>.` say what it can compile. It gets the options
`{"target": Target}` with the target of its node: host, devices and libraries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag.tvm.errors import CodegenUnusable
from ttag.tvm.loading import load
from ttag.tvm.losses import Lossiness, report_unused
from ttag.tvm.placement import Placement

PREFIX = "relax.ext."
ATTRIBUTE = "Codegen"


def offload(mod: Any, placement: Placement, lossy: Lossiness) -> Any:
    """Return a Relax module whose offloaded parts are compiled. Raises `CodegenUnusable`."""
    transform = load("tvm.relax.transform")
    for name, description in placement.functions.items():
        if description.codegen:
            mod = _assign(mod, name, description.codegen)
    targets = codegens(placement)
    for codegen in targets:
        _refuse_missing(codegen, placement.root.origin.reference)
        mod = _partition(mod, codegen)
        if not _has_part_for(mod, codegen):
            report_unused(codegen, placement.root, lossy)
    if not targets:
        return mod
    create = load("tvm.target").Target
    options = {codegen: {"target": create(dict(target))} for codegen, target in targets.items()}
    return transform.RunCodegen(options)(mod)


def codegens(placement: Placement) -> dict[str, Mapping[str, Any]]:
    """Return the code generators that a build asks for, with their targets."""
    targets: dict[str, Mapping[str, Any]] = {}
    for description in placement.descriptions:
        for name in description.flow.get("enable-byoc", ()):
            targets.setdefault(name, description.target)
        nodes = {place: node for place, _, node in description.nodes()} | {"": description.target}
        for place, entry in description.build.items():
            if "codegen" in entry:
                targets[entry["codegen"]] = nodes[place]
    return targets


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
        placed = description is not placement.root
        if description.codegen or (placed and description.flow.get("enable-byoc")):
            name = description.codegen or description.flow["enable-byoc"][0]
            raise CodegenUnusable(
                f"{description.origin.reference} has the code generator {name}, which takes Relax "
                "functions, but the module has none."
            )
