"""CPUs that TVM's LLVM does not know, for which it would compile as for a generic one."""

from __future__ import annotations

from ttag.tvm.description import Description
from ttag.tvm.loading import load


def unknown_processors(description: Description) -> list[str]:
    """Return pointers to the CPUs of a target and its host that LLVM would replace."""
    codegen = load("tvm.target.codegen")
    nodes = {"": description.target, "/host": description.target.get("host", {})}
    return [
        f"{pointer}/mcpu"
        for pointer, node in nodes.items()
        if node.get("kind") == "llvm"
        and "mcpu" in node
        and not codegen.llvm_is_valid_cpu(
            node["mcpu"], node.get("mtriple") or codegen.llvm_get_system_triple()
        )
    ]
