"""The GPUs of a machine: from the tool that tells most about each."""

from __future__ import annotations

from collections.abc import Callable

from ttag_rules.probe import clinfo, nvidia_smi, rocminfo, vulkaninfo
from ttag_rules.probe.facts import Device, Notes
from ttag_rules.probe.names import with_vendor
from ttag_rules.probe.outputs import Outputs

OWN_TOOLS: tuple[tuple[str, str, Callable[[str], tuple[Device, ...]]], ...] = (
    ("NVIDIA", "nvidia-smi.csv", nvidia_smi.parse),
    ("AMD", "rocminfo.txt", rocminfo.parse),
)
COMMON_TOOLS: tuple[tuple[str, Callable[[str], tuple[Device, ...]]], ...] = (
    ("clinfo.txt", clinfo.parse),
    ("vulkaninfo.txt", vulkaninfo.parse),
)


def find_devices(outputs: Outputs, notes: Notes) -> list[Device]:
    """Return the GPUs, each once.

    A vendor's own tool tells most. OpenCL and then Vulkan add GPUs of other vendors only: they
    list the same ones again.
    """
    devices: list[Device] = []
    for _, name, parse in OWN_TOOLS:
        devices += _noted(name, parse(outputs.text(name)), notes)
    for name, parse in COMMON_TOOLS:
        vendors = {device.vendor for device in devices}
        others = [device for device in parse(outputs.text(name)) if device.vendor not in vendors]
        devices += _noted(name, _distinct(others), notes)
    if nvidia_smi.has_slices(outputs.text("nvidia-smi.csv")):
        notes.missing(*nvidia_smi.SLICED)
    _note_unseen(outputs, devices, notes)
    for device in devices:
        _note_undescribed(device, notes)
    return devices


def _distinct(devices: list[Device]) -> tuple[Device, ...]:
    """Return devices without those that a tool lists again for another driver."""
    first: dict[tuple[str, str], Device] = {}
    for device in devices:
        first.setdefault((device.vendor, device.model), device)
    return tuple(first.values())


def _noted(name: str, devices: tuple[Device, ...], notes: Notes) -> tuple[Device, ...]:
    for device in devices:
        times = f"{device.count} x " if device.count > 1 else ""
        notes.learned(name, f"{times}{with_vendor(device.vendor, device.model)}".strip())
    return devices


def _note_unseen(outputs: Outputs, devices: list[Device], notes: Notes) -> None:
    """Note which tools might show more GPUs, or more about those that others have shown."""
    names = [name for _, name, _ in OWN_TOOLS] + [name for name, _ in COMMON_TOOLS]
    reasons = outputs.reasons(*names)
    if reasons and not devices and not outputs.text("sysctl.txt"):
        notes.missing("GPUs, if there are any", reasons)
    for vendor, name, _ in OWN_TOOLS:
        seen = next((device for device in devices if device.vendor == vendor), None)
        if seen and name not in outputs.texts:
            model = with_vendor(vendor, seen.model)
            notes.missing(f"the architecture of {model}", outputs.reasons(name))
        elif devices and outputs.is_broken(name):
            notes.missing(f"GPUs of {vendor}, if there are any", outputs.reasons(name))
    # Other tools print something, too, where there is no GPU.
    if outputs.text("nvidia-smi.csv").strip() and all(each.vendor != "NVIDIA" for each in devices):
        notes.missing("GPUs of NVIDIA, if there are any", "nvidia-smi: printed no list of them")


def _note_undescribed(device: Device, notes: Notes) -> None:
    """Note what the tool that has shown a GPU does not print."""
    if device.kind == "cuda" and "arch" not in device.options:
        notes.missing(
            f"arch of {device.model}: this nvidia-smi does not print compute_cap",
            "install a driver of version 510 or later, or run deviceQuery",
        )
    if device.kind == "vulkan":
        notes.missing(
            f"what {device.model} supports: vulkaninfo --summary does not print it",
            "compare with vulkaninfo without --summary",
        )
