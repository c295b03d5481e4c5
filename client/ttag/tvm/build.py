"""The one path from a module and a reference to machine code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag.project import Project
from ttag.tvm.accounting.account import account, compiled_nodes
from ttag.tvm.accounting.libraries import ADAPTERS
from ttag.tvm.accounting.outcomes import Build
from ttag.tvm.annotations import MODULE, store_origins
from ttag.tvm.codegens import refuse_without_relax
from ttag.tvm.description import Description, compiled_target, describe
from ttag.tvm.executors import common_exec_mode
from ttag.tvm.loading import load
from ttag.tvm.losses import Lossiness, check, lost_in_build, report, unknown_processors
from ttag.tvm.offers import byoc_nodes
from ttag.tvm.parts import build_parts
from ttag.tvm.pass_settings import known_settings
from ttag.tvm.placement import Placement, relax_functions
from ttag.tvm.relax_build import build_relax
from ttag.tvm.splitting import split


def target(ref: str, *, project: Project | None = None) -> Any:
    """Return the `tvm.target.Target` of a reference; `#` and a pointer name a node of it.

    It holds neither executor, runtime nor flow: `compile` passes these on. A CPU comes without a
    host, because TVM would compile for that instead. Raises `TtagError`.
    """
    description = describe(ref, project or Project.open())
    return load("tvm.target").Target(compiled_target(description.target))


def compile(
    mod: Any,
    ref: str | None = None,
    *,
    project: Project | None = None,
    params: Mapping[str, Any] | None = None,
    lossy: Lossiness = "error",
    relax_pipeline: Any = "default",
    tir_pipeline: Any = "default",
) -> Any:
    """Compile a module or a `PrimFunc` as a reference says, and return an `Executable`.

    Functions that `annotate` has assigned to other targets are built for these. Without `ref`,
    what the module records is built, and no registry is asked. `params` are the weights of a Relax
    module by name. Settings that TVM 0.27 cannot follow are an error, or with `lossy="warn"` a
    warning. Raises `TtagError`; errors of TVM itself pass through.
    """
    check(lossy)
    tvm = load()
    if isinstance(mod, tvm.tirx.PrimFunc):
        mod = tvm.IRModule.from_expr(mod)
    root = None if ref is None else describe(ref, project or Project.open())
    placement = Placement.of(root, mod)
    # Virtual devices and code generators give work to devices of a composite.
    if not (placement.functions or mod.global_infos.get("vdevice", ()) or byoc_nodes(placement)):
        placement.refuse_host_alone()
    mode = common_exec_mode(placement.compiled)
    build = _facts(placement, has_relax=bool(relax_functions(mod)))
    for description in placement.descriptions:
        losses = lost_in_build(account(placement, description, build))
        losses += unknown_processors(compiled_nodes(placement, description))
        report(description, losses, "TVM 0.27", lossy)
    if build.has_relax:
        executable = build_relax(
            mod,
            placement,
            build,
            mode,
            params=dict(params or {}),
            lossy=lossy,
            relax_pipeline=relax_pipeline,
            tir_pipeline=tir_pipeline,
        )
    else:
        refuse_without_relax(placement)
        library = build_parts(split(mod, placement), mod.attrs, tir_pipeline)
        executable = tvm.runtime.Executable(library)
    store_origins(executable.mod, _origins(placement))
    return executable


def _origins(placement: Placement) -> dict[str, Any]:
    descriptions: dict[str, Description] = {MODULE: placement.root, **placement.functions}
    return {name: each.origin for name, each in descriptions.items()}


def _facts(placement: Placement, *, has_relax: bool) -> Build:
    """Return what accounting knows of a build."""
    for built in placement.compiled:
        for name in built.libs:
            if name in ADAPTERS and ADAPTERS[name].module:
                load(ADAPTERS[name].module)  # some register a code generator that is in Python
    return Build(
        main=placement.main,
        kinds=frozenset(built.node.kind for built in placement.compiled),
        has_relax=has_relax,
        settings=known_settings(),
        registered=frozenset(map(str, load("tvm_ffi.registry").list_global_func_names())),
    )
