"""The `PassContext` that the flow of a target means."""

from __future__ import annotations

from typing import Any

from ttag.errors import SettingsError
from ttag.tvm.description import Description
from ttag.tvm.loading import load

CUDA_GRAPH = {"relax.backend.use_cuda_graph": True}


def pass_context(description: Description) -> Any:
    """Return the current `PassContext` with the settings of a target added.

    Raises `SettingsError` if the caller's context says otherwise.
    """
    settings = dict(description.pass_config)
    if description.runtime.get("kind") == "cuda-graph" and not description.codegen:
        settings |= CUDA_GRAPH
    transform = load("tvm.ir.transform")
    current = transform.PassContext.current()
    stated = {str(name): value for name, value in current.config.items()}
    for name, value in settings.items():
        if name in stated and stated[name] != value:
            raise SettingsError(
                f"{description.origin.reference} sets {name} to {value}, but the current "
                f"PassContext sets it to {stated[name]}: remove one of them."
            )
    return transform.PassContext(
        opt_level=current.opt_level,
        required_pass=list(current.required_pass),
        disabled_pass=list(current.disabled_pass),
        instruments=list(current.instruments),
        config={**stated, **settings},
    )
