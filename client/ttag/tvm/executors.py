"""The execution mode that an executor and a runtime mean in TVM 0.27."""

from __future__ import annotations

from ttag.tvm.built_nodes import BuiltNode, host_of
from ttag.tvm.errors import Misplaced, Removed

BYTECODE, COMPILED = "bytecode", "compiled"
MODES = {"vm": BYTECODE, "aot": COMPILED}
# The last TVM that had it. 0.20 removed Relay, with its executors and the C runtime.
LAST_RELEASE = {"graph": "0.19", "crt": "0.19"}


def exec_mode(built: BuiltNode) -> str | None:
    """Return the mode of the relax virtual machine, or None if the target states no executor.

    Raises `Removed` for the executor `graph` and the runtime `crt`.
    """
    for role, kind in (("executor", built.executor), ("runtime", built.runtime)):
        if kind in LAST_RELEASE:
            raise Removed(
                f"{built.name} has the {role} {kind}, which TVM had up to "
                f"{LAST_RELEASE[kind]}: TVM 0.27 has the executors vm, and aot on the runtime cpp."
            )
    return MODES.get(built.executor)


def common_exec_mode(compiled: list[BuiltNode]) -> str:
    """Return the mode of a library for several nodes: that of the virtual machine by default.

    A host that launches kernels counts, too. Raises `Misplaced` if they need several modes, as one
    library has one.
    """
    launching = [host for built in compiled if not built.is_cpu and (host := host_of(built))]
    chosen: dict[str, BuiltNode] = {}
    for built in (*compiled, *launching):
        if mode := exec_mode(built):
            chosen.setdefault(mode, built)
    if len(chosen) > 1:
        vm, aot = chosen[BYTECODE].name, chosen[COMPILED].name
        raise Misplaced(
            f"One library has one executor, but {vm} has vm and {aot} has aot: "
            "compile their functions one after the other."
        )
    return next(iter(chosen), BYTECODE)
