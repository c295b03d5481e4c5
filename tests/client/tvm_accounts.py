"""Accounts of targets, as if TVM had a module that is placed on them. TVM itself is not needed."""

from typing import Any

from registry.domain.exporting import Subject
from registry.domain.formats.tvm import FORMAT
from tests.domain.builders import KINDS, target_of
from ttag.tvm.accounting.account import Entry, account
from ttag.tvm.accounting.outcomes import Build
from ttag.tvm.built_nodes import BuiltNode, Position
from ttag.tvm.description import Description, Origin, leaf_devices
from ttag.tvm.placement import Placement, main_node

REFERENCE = "acme/x@1.0.0"
CPU: dict[str, Any] = {"kind": "llvm", "mcpu": "haswell"}
GPU: dict[str, Any] = {"kind": "cuda", "arch": "sm_75"}
CARD: dict[str, Any] = {**GPU, "host": CPU}
SETTINGS = {
    **{f"tirx.{name}": "bool" for name in ("disable_vectorize", "enable_debug", "use_async_copy")},
    "relax.FuseOps.max_depth": "int",
}
GENERATORS = frozenset({"relax.ext.cublas", "relax.ext.nnapi", "relax.ext.npu"})


def described(target: Any, place: str = "") -> Description:
    """Return the description of a closed target, or of what stands for a node of it."""
    members: Any = FORMAT.write(Subject(REFERENCE, target, KINDS)).content
    origin = Origin(f"{REFERENCE}{place and '#'}{place}", "")
    return Description(origin, members["target"], members["build"], members["pass_config"])


def accounts(
    root: Description,
    *,
    annotated: tuple[str, ...] = (),
    virtual: bool = False,
    functions: tuple[str, ...] = ("main",),
) -> dict[str, Entry]:
    """Return the account of a target by pointer.

    `annotated` are devices that functions for TIR are annotated with; with `virtual`, virtual
    devices stand for the devices. `functions` are the Relax functions of the module.
    """
    main = main_node(root, frozenset(functions))
    devices = [node for node in leaf_devices(root) if node.pointer] if virtual else []
    placement = Placement(
        root,
        {pointer: described(CPU, pointer) for pointer in annotated},
        main,
        {},
        {node.kind: [BuiltNode(root, node, Position.VIRTUAL_DEVICE)] for node in devices},
    )
    kinds = frozenset(built.node.kind for built in placement.compiled)
    build = Build(main, kinds, bool(functions), SETTINGS, GENERATORS)
    entries = account(placement, root, build)
    by_pointer = {entry.pointer: entry for entry in entries}
    assert len(by_pointer) == len(entries), "two entries for one value"
    return by_pointer


def accounts_of(body: Any, **placing: Any) -> dict[str, Entry]:
    """Return the account of a body by pointer."""
    return accounts(described(target_of(body)), **placing)
