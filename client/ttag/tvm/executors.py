"""The execution mode that an executor and a runtime mean in TVM 0.27."""

from __future__ import annotations

from ttag.tvm.description import Description
from ttag.tvm.errors import Misplaced, Removed

BYTECODE, COMPILED = "bytecode", "compiled"
MODES = {"vm": BYTECODE, "aot": COMPILED}
# The last TVM that had it. 0.20 removed Relay, with its executors and the C runtime.
LAST_RELEASE = {"graph": "0.19", "crt": "0.19"}


def exec_mode(description: Description) -> str | None:
    """Return the mode of the relax virtual machine, or None if the target states no executor.

    Raises `Removed` for the executor `graph` and the runtime `crt`.
    """
    for role, component in (("executor", description.executor), ("runtime", description.runtime)):
        kind = component.get("kind")
        if kind in LAST_RELEASE:
            raise Removed(
                f"{description.origin.reference} has the {role} {kind}, which TVM had up to "
                f"{LAST_RELEASE[kind]}: TVM 0.27 has the executors vm, and aot on the runtime cpp."
            )
    return MODES.get(description.executor.get("kind", ""))


def common_exec_mode(descriptions: list[Description]) -> str:
    """Return the mode of a library for several targets: that of the virtual machine by default.

    Raises `Misplaced` if they need several modes, as one library has one.
    """
    chosen: dict[str, Description] = {}
    for description in descriptions:
        if mode := exec_mode(description):
            chosen.setdefault(mode, description)
    if len(chosen) > 1:
        vm, aot = chosen[BYTECODE].origin.reference, chosen[COMPILED].origin.reference
        raise Misplaced(
            f"One library has one executor, but {vm} has vm and {aot} has aot: "
            "compile their functions one after the other."
        )
    return next(iter(chosen), BYTECODE)
