"""Targets recorded on functions, modules and libraries by attributes of our own.

TVM keeps attributes when a module is saved. Its `Target` keeps no name: `Target("...").tag` is
empty in TVM 0.27. The record in a library is a constant in a module of its own, which TVM saves,
links and loads with the library. It is data: reading it runs no code of the library.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from ttag.canonical_json import canonical
from ttag.project import Project
from ttag.tvm.artefacts.contents import modules
from ttag.tvm.description import (
    Description,
    Origin,
    compiled_target,
    describe,
    describe_all,
    leaf_devices,
)
from ttag.tvm.errors import Misplaced
from ttag.tvm.loading import load

KIND = "const_loader"  # TVM's module for constants
NAME = "ttag.targets"
REFERENCE, DIGEST, DESCRIPTION = "ttag.reference", "ttag.digest", "ttag.responses.description"
MAX_NAMED = 4  # devices in an error; a rack has dozens
MODULE = ""  # the name of the module itself among its functions


def annotate(
    mod: Any, references: str | Mapping[str, str], *, project: Project | None = None
) -> Any:
    """Return a copy of an IRModule that records what its functions are to be built for.

    `references` has references by the names of functions; a text alone is for the module. A
    reference can name a node: `acme/edge@1#/devices/gpu`. A Relax function takes the functions for
    TIR that it calls with it, but no other Relax functions. The attributes hold the reference, its
    digest and all settings, so a later build needs no registry. Raises `TtagError`.
    """
    project = project or Project.open()
    if isinstance(references, str):
        return _with_description(mod, describe(references, project))
    functions = {name: _find(mod, name) for name in references}
    descriptions = describe_all(list(references.values()), project)
    annotated = mod.clone()
    for variable, description in zip(functions.values(), descriptions, strict=True):
        function = _with_description(mod[variable], description)
        if not description.codegen:
            target = load("tvm.target").Target(_leaf(description))
            function = function.with_attr("target", target)
        annotated.update_func(variable, function)
    return annotated


def targets_of(mod: Any) -> dict[str, Origin]:
    """Return what an IRModule, an executable or a loaded library records, by function.

    The empty name is that of the module itself: what functions without a record are built for.
    """
    tvm = load()
    if not isinstance(mod, tvm.ir.IRModule):
        return read_origins(getattr(mod, "mod", mod))
    return {name: each.origin for name, each in descriptions_of(mod).items()}


def descriptions_of(mod: Any) -> dict[str, Description]:
    """Return the descriptions that an IRModule records, by function; its own has no name."""
    attributes = {MODULE: mod.attrs} | {
        variable.name_hint: function.attrs for variable, function in mod.functions.items()
    }
    return {
        name: Description.from_text(str(each[DESCRIPTION]))
        for name, each in attributes.items()
        if each is not None and DESCRIPTION in each
    }


def copy_annotation(source: Any, function: Any) -> Any:
    """Return a function that is for the same target as another one."""
    for name in (REFERENCE, DIGEST, DESCRIPTION, "target"):
        function = function.with_attr(name, source.attrs[name])
    return function


def _with_description(annotated: Any, description: Description) -> Any:
    return (
        annotated.with_attr(REFERENCE, description.origin.reference)
        .with_attr(DIGEST, description.origin.digest)
        .with_attr(DESCRIPTION, description.as_text())
    )


def _find(mod: Any, name: str) -> Any:
    names = [variable.name_hint for variable in mod.get_global_vars()]
    if name not in names:
        raise Misplaced(
            f"The module has no function {name!r}, only {', '.join(sorted(names))}.",
            suggestions=get_close_matches(name, names, 1),
        )
    return mod.get_global_var(name)


def _leaf(description: Description) -> dict[str, Any]:
    """Return the target of a function, which one code generator compiles."""
    if not description.is_composite:
        return compiled_target(description.target)
    reference = description.origin.reference
    leaves = [description.name_of(node.pointer) for node in leaf_devices(description)]
    raise Misplaced(
        f"{reference} is a composite, and a function is built for one device: "
        f"expected {'one of ' if len(leaves) > 1 else ''}{', '.join(leaves[:MAX_NAMED])}"
        f"{' and others' if len(leaves) > MAX_NAMED else ''}."
    )


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
    for module in modules(library):
        if module.kind != KIND:
            continue
        constants = module["get_const_var_tensor"]()
        if NAME in constants:
            members = json.loads(constants[NAME].numpy().tobytes())
            return {name: Origin(**origin) for name, origin in members.items()}
    return {}
