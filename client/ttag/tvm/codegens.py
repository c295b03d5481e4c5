"""Parts of a module that external code generators compile (BYOC), libraries of kernels among them.

A code generator is a global function `relax.ext.<codegen>`, which TVM calls with the functions to
compile; patterns whose names begin with `<codegen>.` say what it can compile. Its options are those
of its node: `target`, with host, devices and libraries, and `executor`, `runtime` and `flow`, if
stated; `build` has those of nodes inside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ttag.tvm.accounting.libraries import ADAPTERS, GENERATORS
from ttag.tvm.accounting.outcomes import Build
from ttag.tvm.errors import CodegenUnusable
from ttag.tvm.loading import load
from ttag.tvm.losses import Lossiness, report_unused
from ttag.tvm.offers import Offer, offers
from ttag.tvm.placement import Placement
from ttag.tvm.subset import transform_functions

ATTRIBUTE = "Codegen"
THRUST = "tvm.contrib.thrust."
IS_HOST_FUNCTION = "tirx.is_host_func"  # TVM compiles such a function for the host of its target
COMPUTE_CAPABILITY = re.compile("sm_([0-9]+)")


def offload(mod: Any, placement: Placement, build: Build, lossy: Lossiness) -> Any:
    """Return a Relax module whose offloaded parts are compiled. Raises `CodegenUnusable`."""
    for name, description in placement.functions.items():
        if description.codegen:
            mod = _assign(mod, name, description.codegen)
    requested = offers(placement, build)
    for offer in requested:
        mod = _take(mod, offer, build, lossy)
    generators = {offer.codegen: _options(offer) for offer in requested if _generates(offer)}
    if not generators:
        return mod
    return load("tvm.relax.transform").RunCodegen(generators)(mod)


def refuse_without_relax(placement: Placement) -> None:
    """Raise `CodegenUnusable` if a build without Relax functions asks for code generators."""
    for description in placement.descriptions:
        if description.codegen:
            raise CodegenUnusable(
                f"{description.origin.reference} has the code generator {description.codegen}, "
                "which takes Relax functions, but the module has none."
            )


def _take(mod: Any, offer: Offer, build: Build, lossy: Lossiness) -> Any:
    """Return the module with everything set apart that a code generator takes of its functions."""
    if _generates(offer):
        _refuse_missing(offer, build)
    mod, added = transform_functions(mod, offer.functions, _partitioner(offer))
    is_used = _is_for if _generates(offer) else _calls_thrust
    candidates = mod.functions.values() if offer.is_byoc else [mod[each] for each in added]
    if not any(is_used(function, offer.codegen) for function in candidates):
        report_unused(offer.name, offer.role, offer.codegen, lossy)
    return mod


def _generates(offer: Offer) -> bool:
    """Return whether a code generator compiles what is taken; Thrust is called instead."""
    adapter = ADAPTERS.get(offer.codegen)
    return adapter is None or bool(adapter.partitioner)


def _refuse_missing(offer: Offer, build: Build) -> None:
    if f"{GENERATORS}{offer.codegen}" in build.registered:
        return
    registered = sorted(
        name.removeprefix(GENERATORS) for name in build.registered if name.startswith(GENERATORS)
    )
    raise CodegenUnusable(
        f"{offer.name} has the code generator {offer.codegen}, but {GENERATORS}{offer.codegen} is "
        f"not registered; this TVM has {', '.join(registered) or 'none'}."
    )


def _partitioner(offer: Offer) -> Callable[[Any], Any]:
    """Return the pass that sets apart what the patterns of a code generator match."""
    relax = load("tvm.relax")
    adapter = ADAPTERS.get(offer.codegen)
    if adapter and not adapter.partitioner:
        return _dispatch(offer)
    if adapter:
        chosen: Callable[[Any], Any] = getattr(load(adapter.module), adapter.partitioner)
        return chosen
    patterns = relax.backend.get_patterns_with_prefix(f"{offer.codegen}.")
    if not patterns:
        return lambda mod: mod
    fuse: Callable[[Any], Any] = relax.transform.FuseOpsByPattern(
        patterns, bind_constants=False, annotate_codegen=True
    )
    return fuse


def _dispatch(offer: Offer) -> Callable[[Any], Any]:
    """Return the pass that makes operators for sorting and scanning call Thrust."""

    def dispatch(mod: Any) -> Any:
        with load("tvm.target").Target(dict(offer.options["target"])):
            mod = load("tvm.relax").backend.DispatchSortScan()(mod)
        for variable, function in mod.functions.items():
            if _calls_thrust(function):
                mod.update_func(variable, function.with_attr(IS_HOST_FUNCTION, True))
        return mod

    return dispatch


def _options(offer: Offer) -> dict[str, Any]:
    """Return the options of a code generator, as TVM takes them."""
    target = dict(offer.options["target"])
    options = {**offer.options, "target": load("tvm.target").Target(target)}
    # CUTLASS has a default of its own, which the architecture may not have.
    if offer.codegen == "cutlass" and (match := COMPUTE_CAPABILITY.match(target.get("arch", ""))):
        options["sm"] = int(match[1])
    return options


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


def _is_for(function: Any, codegen: str) -> bool:
    attributes = function.attrs
    return bool(attributes and ATTRIBUTE in attributes and str(attributes[ATTRIBUTE]) == codegen)


def _calls_thrust(function: Any, _codegen: str = "") -> bool:
    return isinstance(function, load("tvm.tirx").PrimFunc) and THRUST in str(function)
