"""Stores in a library the targets that it was built for, and reads them.

The record is a constant in a module of its own, which TVM saves, links and loads with the library.
It is data: reading it runs no code of the library.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ttag.canonical_json import canonical
from ttag.tvm.description import Origin
from ttag.tvm.loading import load

KIND = "const_loader"  # TVM's module for constants
NAME = "ttag.targets"


def store_origins(library: Any, origins: Mapping[str, Origin]) -> None:
    """Add to a module what its functions were built for, by name."""
    tvm, relax = load(), load("tvm.relax")
    numpy = load("numpy")
    members: Any = {
        name: {"reference": origin.reference, "digest": origin.digest}
        for name, origin in origins.items()
    }
    content = numpy.frombuffer(canonical(members), dtype="uint8")
    create = tvm.get_global_func(f"ffi.Module.create.{KIND}")
    constants = create({NAME: tvm.runtime.tensor(content)}, {})
    # A lookup of a function fails in a module for constants that imports nothing.
    constants.import_module(relax.ExecBuilder().get().mod)
    library.import_module(constants)


def read_origins(library: Any) -> dict[str, Origin]:
    """Return what the functions of a module were built for; empty if it has no record."""
    for module in _modules(library):
        if module.kind != KIND:
            continue
        constants = module["get_const_var_tensor"]()
        if NAME in constants:
            members = json.loads(constants[NAME].numpy().tobytes())
            return {name: Origin(**origin) for name, origin in members.items()}
    return {}


def _modules(module: Any) -> Iterator[Any]:
    yield module
    for imported in module.imports:
        yield from _modules(imported)
