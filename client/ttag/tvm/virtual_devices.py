"""Virtual devices: how a Relax module names devices of different kinds.

A module says where its tensors are with virtual devices such as `I.vdevice("cuda", 0)`, which
name kinds. The composite says what these are: each gets the target of the device of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag.tvm.description import CPU_KINDS
from ttag.tvm.errors import Misplaced
from ttag.tvm.loading import load
from ttag.tvm.placement import Placement

KEY = "vdevice"


def bind_virtual_devices(mod: Any, placement: Placement) -> Any:
    """Return a Relax module whose virtual devices have the targets of the composite.

    Raises `Misplaced` if the composite has no device for one of them, or if several are CPUs.
    """
    devices = list(mod.global_infos.get(KEY, ()))
    if not devices:
        return mod
    _refuse_cpus(devices)
    relax, create = load("tvm.relax"), load("tvm.target").Target
    mod = relax.transform.RealizeVDevice()(mod)
    for index, device in enumerate(devices):
        target = create(dict(_target_for(device, placement)))
        bound = relax.VDevice(target, device.vdevice_id, device.memory_scope)
        mod = relax.transform.UpdateVDevice(bound, index)(mod)
    return mod


def refuse_other_kinds(mod: Any, placement: Placement) -> None:
    """Raise `Misplaced` if a Relax function is annotated with another kind of device.

    Its tensors would be in the memory of the first device.
    """
    relax, main = load("tvm.relax"), placement.main["kind"]
    for name, description in placement.functions.items():
        kind = description.target["kind"]
        is_relax = isinstance(mod[mod.get_global_var(name)], relax.Function)
        if is_relax and not (description.codegen or {kind, main} <= CPU_KINDS or kind == main):
            raise Misplaced(
                f"{name} is for {kind}, but the module for {main}: put the tensors of a Relax "
                f'function on another kind of device with I.vdevice("{kind}").'
            )


def schedule_devices(mod: Any) -> Any:
    """Return a lowered module whose functions for GPUs have threads, as GPUs require."""
    if not mod.global_infos.get(KEY, ()):
        return mod
    dlight = load("tvm.s_tir.dlight")
    rules = ("Matmul", "GEMV", "Reduction", "GeneralReduction", "Fallback")
    return dlight.ApplyDefaultSchedule(*(getattr(dlight.gpu, rule)() for rule in rules))(mod)


def _refuse_cpus(devices: list[Any]) -> None:
    cpus = [device for device in devices if device.target.kind.name in CPU_KINDS]
    if len(cpus) > 1:
        raise Misplaced(
            f"The module has {len(cpus)} virtual devices that are CPUs, and TVM compiles all of "
            "them for the same one: annotate functions with their targets instead."
        )


def _target_for(device: Any, placement: Placement) -> Mapping[str, Any]:
    """Return the target of the device that a virtual device stands for, with its host."""
    kind = device.target.kind.name
    main = placement.main
    if kind == main["kind"] or {kind, main["kind"]} <= CPU_KINDS:
        return main
    nodes = [node for _, _, node in placement.root.nodes() if node["kind"] == kind]
    different = {str(sorted(node.items(), key=str)): node for node in nodes}
    if len(different) != 1:
        count = "no device" if not different else f"{len(different)} different devices"
        raise Misplaced(
            f"The module has a virtual device of kind {kind}, but "
            f"{placement.root.origin.reference} has {count} of that kind."
        )
    (node,) = different.values()
    return {"host": dict(main), **node}
