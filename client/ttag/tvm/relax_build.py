"""Builds a Relax module: `tvm.relax.build`, except that each CPU's functions are built apart."""

from __future__ import annotations

from typing import Any

from ttag.errors import SettingsError
from ttag.tvm.accounting.outcomes import Build
from ttag.tvm.accounting.setting_rules import ENTRY
from ttag.tvm.annotations import descriptions_of
from ttag.tvm.built_nodes import BuiltNode
from ttag.tvm.callees import refuse_vanished, with_own_callees
from ttag.tvm.codegens import offload
from ttag.tvm.executors import COMPILED
from ttag.tvm.loading import load
from ttag.tvm.losses import Lossiness
from ttag.tvm.parts import build_linked, build_parts
from ttag.tvm.pass_settings import pass_context, refuse_other_relax_settings
from ttag.tvm.placement import Placement
from ttag.tvm.splitting import split
from ttag.tvm.virtual_devices import (
    bind_virtual_devices,
    refuse_other_kinds,
    schedule_devices,
)

LINK_PARAMS = "link-params"


def build_relax(
    mod: Any,
    placement: Placement,
    build: Build,
    mode: str,
    *,
    params: dict[str, Any],
    lossy: Lossiness,
    relax_pipeline: Any,
    tir_pipeline: Any,
) -> Any:
    """Return the executable of a Relax module in an execution mode."""
    relax, vm_build = load("tvm.relax"), load("tvm.relax.vm_build")
    main = load("tvm.target").Target(placement.main.target)
    refuse_other_kinds(placement.main, placement.nodes)
    refuse_other_relax_settings(placement)
    mod = _with_parameters(mod, placement.nodes.get(ENTRY, placement.main), params)
    mod = bind_virtual_devices(mod, placement.main, placement.virtual_devices)
    with pass_context(placement.main), main:
        mod = offload(mod, placement, build, lossy)
        mod = schedule_devices(_pipeline(relax_pipeline, main)(mod))
        refuse_vanished(mod, placement)
        mod = with_own_callees(mod)
    builder = relax.ExecBuilder()
    # These are the steps of tvm.relax.build, which itself builds all functions for one CPU.
    lowered = vm_build._vmcodegen(builder, mod, mode)
    return _link(builder, main, lowered, _library(lowered, placement, mode, tir_pipeline))


def _with_parameters(mod: Any, entry: BuiltNode, params: dict[str, Any]) -> Any:
    """Return the module with its weights as constants, unless the flow keeps them apart."""
    if not params:
        return mod
    if entry.flow.get(LINK_PARAMS) is False:
        raise SettingsError(
            f"{entry.name} sets link-params to false: pass the parameters when the "
            "library runs, not to compile."
        )
    return load("tvm.relax.transform").BindParams(ENTRY, params)(mod)


def _pipeline(chosen: Any, target: Any) -> Any:
    """Return the pipeline that tvm.relax.build would choose."""
    relax = load("tvm.relax")
    if not isinstance(chosen, str):
        return chosen or (lambda mod: mod)
    if chosen == "default" and "gpu" in target.keys:
        return relax.get_default_pipeline(target)
    return relax.get_pipeline(chosen)


def _library(lowered: Any, placement: Placement, mode: str, pipeline: Any) -> Any:
    """Return the library of the functions for TIR."""
    mod = load("tvm.relax.vm_build")._filter_tir(lowered)
    if mod is None:
        mod = load().IRModule({}, attrs=lowered.attrs)
    parts = split(mod, placement.with_functions(descriptions_of(mod)))
    build = build_linked if mode == COMPILED else build_parts
    return build(parts, mod.attrs, pipeline)


def _link(builder: Any, target: Any, lowered: Any, library: Any) -> Any:
    """Return the executable of the virtual machine's code and the libraries that it calls."""
    vm_build = load("tvm.relax.vm_build")
    attributes = dict(lowered.attrs) if lowered.attrs else {}
    others = []
    for module in attributes.get("external_mods", ()):
        if vm_build._is_device_module(module):
            library.import_module(module)
        else:
            others.append(module)
    constants = dict(attributes.get("const_name_to_constant", {}))
    linked = vm_build._ffi_api.VMLink(builder, target, library, others, constants)
    return vm_build.VMExecutable(linked)
