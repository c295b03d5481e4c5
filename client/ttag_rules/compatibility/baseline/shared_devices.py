"""One device's code for several machines: machine code of the oldest, PTX, or a generic GPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttag_rules.compatibility.devices import amd, cuda
from ttag_rules.compatibility.devices.architectures import OPTIONS, TEGRA, Architecture
from ttag_rules.compatibility.devices.nodes import DeviceNode
from ttag_rules.compatibility.processors import texts

CUDA = "cuda"


def device_family(device: DeviceNode | None) -> str:
    """Return what the devices of one build must agree in; empty without one.

    All of NVIDIA's run PTX; those of AMD that a generic processor names share its code.
    """
    if device is None:
        return ""
    if device.kind in cuda.KINDS and Architecture.parse(device.text(*OPTIONS)):
        return CUDA
    if device.kind in amd.KINDS:
        name = device.text(amd.OPTION)
        generic = (each for each, members in amd.GENERIC.items() if name in (each, *members))
        return f"{next(generic, name)} {sorted(texts(device.target, 'mattr'))}"
    return str(sorted(device.options.items(), key=str))


def shared_device(devices: Sequence[DeviceNode]) -> dict[str, Any]:
    """Return the leaf whose code runs on all devices of one family."""
    first = devices[0]
    if device_family(first) == CUDA:
        return _cuda(devices)
    names = {device.text(amd.OPTION) for device in devices}
    if first.kind in amd.KINDS and len(names) > 1:
        generic = next(each for each, members in amd.GENERIC.items() if names <= {each, *members})
        return {**first.options, amd.OPTION: generic}
    return first.options


def _cuda(devices: Sequence[DeviceNode]) -> dict[str, Any]:
    parsed = (Architecture.parse(device.text(*OPTIONS)) for device in devices)
    numbers = sorted({each.number for each in parsed if each})
    oldest = f"sm_{numbers[0]}"
    is_one_kind = len(numbers) == 1 or not TEGRA & {*numbers}
    if is_one_kind and numbers[0] // 10 == numbers[-1] // 10:
        return {"kind": "cuda", "arch": oldest}
    return {"kind": cuda.PTX_KIND, "mcpu": oldest}
