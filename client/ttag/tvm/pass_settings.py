"""The `PassContext` that the flow of a node means."""

from __future__ import annotations

import json
from typing import Any

from ttag.errors import SettingsError
from ttag.tvm.accounting.setting_rules import CUDA_GRAPH, RELAX, is_accepted
from ttag.tvm.built_nodes import BuiltNode, Position
from ttag.tvm.errors import Misplaced
from ttag.tvm.loading import load
from ttag.tvm.placement import Placement

USE_CUDA_GRAPH = "relax.backend.use_cuda_graph"


def known_settings() -> dict[str, str]:
    """Return the names of all settings of a `PassContext`, with the types of their values."""
    settings = load("tvm.ir.transform").PassContext.list_configs()
    return {str(name): str(json.loads(str(facts))["type"]) for name, facts in settings.items()}


def pass_config(built: BuiltNode) -> dict[str, Any]:
    """Return the settings of a node that a `PassContext` takes."""
    known = known_settings()
    config = {
        name: value
        for name, value in built.flow.items()
        if name in known and is_accepted(value, known[name])
    }
    if built.position is Position.MODULE and built.runtime == CUDA_GRAPH:
        config[USE_CUDA_GRAPH] = True
    return config


def refuse_other_relax_settings(placement: Placement) -> None:
    """Raise `Misplaced` if settings that Relax functions are lowered with are not those of all.

    TVM lowers the Relax functions of a module together, with the settings of the main node.
    """
    main = _relax_settings(placement.main)
    virtual = [built for same in placement.virtual_devices.values() for built in same]
    annotated = [built for built in placement.nodes.values() if built.has_relax]
    for built in (*virtual, *annotated):
        own = _relax_settings(built)
        if missing := sorted(main.keys() - own.keys()):
            raise Misplaced(
                f"TVM would lower Relax functions for {built.name} with {missing[0]} of "
                f"{placement.main.name}, too: state it in both, or compile one after the other."
            )


def _relax_settings(built: BuiltNode) -> dict[str, Any]:
    settings = {name: value for name, value in built.flow.items() if name.startswith(RELAX)}
    return settings | ({USE_CUDA_GRAPH: True} if built.runtime == CUDA_GRAPH else {})


def pass_context(built: BuiltNode) -> Any:
    """Return the current `PassContext` with the settings of a node added.

    Raises `SettingsError` if the caller's context says otherwise.
    """
    settings = pass_config(built)
    transform = load("tvm.ir.transform")
    current = transform.PassContext.current()
    stated = {str(name): value for name, value in current.config.items()}
    for name, value in settings.items():
        if name in stated and stated[name] != value:
            raise SettingsError(
                f"{built.name} sets {name} to {value}, but the current "
                f"PassContext sets it to {stated[name]}: remove one of them."
            )
    return transform.PassContext(
        opt_level=current.opt_level,
        required_pass=list(current.required_pass),
        disabled_pass=list(current.disabled_pass),
        instruments=list(current.instruments),
        config={**stated, **settings},
    )
