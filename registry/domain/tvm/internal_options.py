"""Members of TVM targets that TVM itself adds, or replaces by what it finds on its machine."""

from __future__ import annotations

from registry.domain.errors import Fault

FEATURE = "feature."  # TVM's prefix for detected features of a CPU
DEVICE_TYPE = "target_device_type"
FROM_DEVICE = "from_device"


def is_addition(name: str) -> bool:
    """Return whether TVM adds a member of this name."""
    return name == DEVICE_TYPE or (name.startswith(FEATURE) and name != FEATURE)


def from_device_fault(pointer: str) -> Fault:
    """Return the fault for `from_device`, which no registry can answer."""
    return Fault(
        pointer,
        "OPTION_UNKNOWN",
        f"{FROM_DEVICE} asks the machine that builds for the values of its device, so that the "
        "target differs from machine to machine",
        "the values themselves, as str(target) prints them on that machine",
        FROM_DEVICE,
    )
