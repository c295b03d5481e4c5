"""`vulkaninfo --summary`: GPUs with Vulkan, by name; it does not state what they can do."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ttag_rules.probe.facts import Device
from ttag_rules.probe.names import product_name

GPU = re.compile(r"^GPU[0-9]+:$", re.MULTILINE)
FIELD = re.compile(r"^\s+(\w+)\s*=\s*(\S.*?)\s*$", re.MULTILINE)
VERSION = re.compile(r"(?:[0-9]+ \()?([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{1,3})\)?")
TYPES = {
    "PHYSICAL_DEVICE_TYPE_DISCRETE_GPU": "discrete",
    "PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU": "integrated",
    "PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU": "virtual",
}
VENDORS = {  # PCI vendors
    "0x1002": "AMD",
    "0x106b": "Apple",
    "0x10de": "NVIDIA",
    "0x13b5": "Arm",
    "0x14e4": "Broadcom",
    "0x5143": "Qualcomm",
    "0x8086": "Intel",
}
UNQUOTABLE = re.compile(r"[^A-Za-z0-9_.,+:=/() -]")  # what an option may not hold
MAX_NAME = 256  # characters of an option
MAX_DEVICES = 64


def parse(text: str) -> tuple[Device, ...]:
    """Return the GPUs; renderers that run on the processor are left out."""
    blocks = (dict(FIELD.findall(block)) for block in GPU.split(text)[1 : MAX_DEVICES + 1])
    return tuple(_device(fields) for fields in blocks if fields.get("deviceType") in TYPES)


def _device(fields: Mapping[str, str]) -> Device:
    options: dict[str, object] = {
        "keys": ["vulkan", "gpu"],
        "device_type": TYPES[fields["deviceType"]],
    }
    if version := VERSION.fullmatch(fields.get("apiVersion", "")):
        major, minor, patch = (int(part) for part in version.groups())
        options["vulkan_api_version"] = major << 22 | minor << 12 | patch
    if name := " ".join(UNQUOTABLE.sub(" ", fields.get("deviceName", "")).split()):
        options["device_name"] = name[:MAX_NAME].strip()
    vendor = VENDORS.get(fields.get("vendorID", "").lower(), "")
    return Device(
        "vulkan", options, vendor=vendor, model=product_name(fields.get("deviceName", ""))
    )
