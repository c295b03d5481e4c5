"""The facts about a build and about TVM that accounting needs."""

from __future__ import annotations

from ttag.tvm.accounting.libraries import ADAPTERS
from ttag.tvm.accounting.outcomes import Build
from ttag.tvm.loading import load
from ttag.tvm.pass_settings import known_settings
from ttag.tvm.placement import Placement


def facts(placement: Placement, *, has_relax: bool) -> Build:
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
