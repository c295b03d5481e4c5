"""Virtual devices: how a Relax module names devices of different kinds.

A module says where its tensors are with virtual devices such as `I.vdevice("cuda", 0)`, which
name kinds. The composite says what these are: each gets the target of the device of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag.canonical_json import canonical
from ttag.tvm.built_nodes import BuiltNode, Position
from ttag.tvm.description import CPU_KINDS, leaf_devices
from ttag.tvm.errors import Misplaced
from ttag.tvm.loading import load

KEY = "vdevice"


def bind_virtual_devices(mod: Any, main: BuiltNode, virtual: Mapping[str, list[BuiltNode]]) -> Any:
    """Return a Relax module whose virtual devices have the targets of nodes, those by kind.

    Raises `Misplaced` if several are CPUs.
    """
    devices = list(mod.global_infos.get(KEY, ()))
    if not devices:
        return mod
    cpus = [device for device in devices if device.target.kind.name in CPU_KINDS]
    if len(cpus) > 1:
        raise Misplaced(
            f"The module has {len(cpus)} virtual devices that are CPUs, and TVM compiles all of "
            "them for the same one: annotate functions with their targets instead."
        )
    relax, create = load("tvm.relax"), load("tvm.target").Target
    mod = relax.transform.RealizeVDevice()(mod)
    for index, device in enumerate(devices):
        nodes = virtual.get(device.target.kind.name, [main])
        target = create(nodes[0].target)
        bound = relax.VDevice(target, device.vdevice_id, device.memory_scope)
        mod = relax.transform.UpdateVDevice(bound, index)(mod)
    return mod


def refuse_other_kinds(main: BuiltNode, annotated: Mapping[str, BuiltNode]) -> None:
    """Raise `Misplaced` if a Relax function is annotated with another kind of device.

    Its tensors would be in the memory of the first device.
    """
    for name, built in annotated.items():
        kind = built.node.kind
        if name in built.functions and not _is_main(kind, main):
            raise Misplaced(
                f"{name} is for {kind}, but the module for {main.node.kind}: put the tensors of a "
                f'Relax function on another kind of device with I.vdevice("{kind}").'
            )


def schedule_devices(mod: Any) -> Any:
    """Return a lowered module whose functions for GPUs have threads, as GPUs require."""
    if not mod.global_infos.get(KEY, ()):
        return mod
    dlight = load("tvm.s_tir.dlight")
    rules = ("Matmul", "GEMV", "Reduction", "GeneralReduction", "Fallback")
    return dlight.ApplyDefaultSchedule(*(getattr(dlight.gpu, rule)() for rule in rules))(mod)


def virtual_nodes(mod: Any, main: BuiltNode) -> dict[str, list[BuiltNode]]:
    """Return the nodes that virtual devices of a module stand for, by kind, without the main one.

    Raises `Misplaced` if the composite has no device of a kind, or different ones.
    """
    kinds = {device.target.kind.name for device in mod.global_infos.get(KEY, ())}
    return {kind: _of_kind(kind, main) for kind in kinds if not _is_main(kind, main)}


def _is_main(kind: str, main: BuiltNode) -> bool:
    return kind == main.node.kind or {kind, main.node.kind} <= CPU_KINDS


def _of_kind(kind: str, main: BuiltNode) -> list[BuiltNode]:
    nodes = [
        BuiltNode(main.description, node, Position.VIRTUAL_DEVICE)
        for node in leaf_devices(main.description)
        if node.kind == kind
    ]
    if len({canonical(node.closed) for node in nodes}) != 1:
        count = f"{len(nodes)} different devices" if nodes else "no device"
        raise Misplaced(
            f"The module has a virtual device of kind {kind}, but "
            f"{main.description.origin.reference} has {count} of that kind."
        )
    return nodes
