"""The part of a target that verdicts depend on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag_rules.compatibility.devices.nodes import COUNT, HARDWARE, HOST, WITHOUT_EFFECT
from ttag_rules.compatibility.processors import KINDS

# Of processors; of devices, all options count.
PROCESSOR_OPTIONS = frozenset(
    {"kind", "mtriple", "mcpu", "mattr", "mabi", "mfloat-abi", "cl-opt", "vector-width"}
)
DEVICES = "devices"


def relevant_part(target: Mapping[str, Any]) -> dict[str, Any]:
    """Return a target without what no verdict depends on; targets with equal parts get equal ones.

    Facts about the hardware are left out, but for the number of devices.
    """
    part = {name: value for name, value in target.items() if _counts(target, name)}
    if isinstance(part.get(HOST), Mapping):
        part[HOST] = relevant_part(part[HOST])
    devices = part.get(DEVICES)
    if isinstance(devices, Mapping):
        part[DEVICES] = {label: _member(each) for label, each in devices.items()}
    elif isinstance(devices, list):
        part[DEVICES] = list(map(_member, devices))
    hardware = target.get(HARDWARE)
    if isinstance(hardware, Mapping) and COUNT in hardware and target.get("kind") not in KINDS:
        part[HARDWARE] = {COUNT: hardware[COUNT]}
    return part


def _counts(target: Mapping[str, Any], name: str) -> bool:
    if name in (HOST, DEVICES):
        return True
    if target.get("kind") in KINDS:
        return name in PROCESSOR_OPTIONS
    return name not in WITHOUT_EFFECT


def _member(device: Any) -> Any:
    return relevant_part(device) if isinstance(device, Mapping) else device
