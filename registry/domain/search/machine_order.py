"""The order of categories in lists: what people rent, own or hold comes before parts of it."""

from __future__ import annotations

# Decision 147: a list to look around in begins with machines, not with the first vendor by name.
MACHINES_FIRST = (
    *("cloud-instance", "gpu", "laptop", "desktop", "phone", "tablet", "module", "board"),
    *("npu", "server-cpu", "desktop-cpu", "laptop-cpu", "soc"),
    *("microcontroller-board", "microcontroller", "cpu-core"),
)
UNKNOWN_PLACE = len(MACHINES_FIRST)  # of tags without a category
FAMILY_PLACE = UNKNOWN_PLACE + 1  # of what machines share, which few facts tell apart


def place_of(category: str, *, is_family: bool = False) -> int:
    """Return the place of a category in lists, from 0 on; families come last."""
    if is_family:
        return FAMILY_PLACE
    return MACHINES_FIRST.index(category) if category in MACHINES_FIRST else UNKNOWN_PLACE
