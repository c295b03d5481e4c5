"""`clinfo`: GPUs with OpenCL. Processors and emulators that it lists too are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ttag_rules.probe.facts import Device, number
from ttag_rules.probe.names import product_name

NAME = "Device Name"
FIELD = re.compile(r"^ +(\S.*?) {2,}(\S.*?) *$")
# clinfo tries out what happens without a platform, and prints the devices once more.
TRIALS = "NULL platform behavior"
MAX_DEVICES = 64
VENDORS = {
    "Intel(R) Corporation": "Intel",
    "ARM": "Arm",
    "Advanced Micro Devices, Inc.": "AMD",
    "NVIDIA Corporation": "NVIDIA",
    "QUALCOMM": "Qualcomm",
}
DEVICES = {"Intel": "intel_graphics", "Arm": "mali", "Qualcomm": "adreno"}  # as TVM spells them


def parse(text: str) -> tuple[Device, ...]:
    """Return the GPUs. A platform that lists one again counts as another."""
    return tuple(
        _device(fields) for fields in _blocks(text) if "GPU" in fields.get("Device Type", "")
    )


def _blocks(text: str) -> Iterator[Mapping[str, str]]:
    """Yield the fields of each device, the first value of a name."""
    block: dict[str, str] = {}
    blocks = 0
    for line in text.partition(TRIALS)[0].splitlines():
        match = FIELD.match(line)
        if not match:
            continue
        name, value = match[1], match[2]
        if name == NAME:
            blocks += 1
            if block:
                yield block
            block = {}
        if blocks > MAX_DEVICES:
            return
        if blocks:
            block.setdefault(name, value)
    if block:
        yield block


def _device(fields: Mapping[str, str]) -> Device:
    vendor = VENDORS.get(fields.get("Device Vendor", ""), fields.get("Device Vendor", ""))
    options: dict[str, object] = {"keys": ["opencl", "gpu"]}
    if device := DEVICES.get(vendor):
        options |= {"keys": [device, "opencl", "gpu"], "device": device}
    limits = {
        "max_threads_per_block": "Max work group size",
        "max_num_threads": "Max work group size",
        "thread_warp_size": "Preferred work group size multiple",
        "max_shared_memory_per_block": "Local memory size",
    }
    for option, name in limits.items():
        if limit := number(fields.get(name) or fields.get(f"{name} (kernel)", "")):
            options[option] = limit
    return Device(
        "opencl",
        options,
        vendor=vendor,
        model=product_name(fields.get("Device Board Name (AMD)") or fields.get(NAME, "")),
        compute_units=number(fields.get("Max compute units", "")),
    )
