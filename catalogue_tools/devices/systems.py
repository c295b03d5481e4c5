"""Operating systems of machines, which may differ from that of their chip's phones."""

from __future__ import annotations

from catalogue_tools.devices.chips import Chip, chip
from catalogue_tools.facts import Row, cached, read_table

TREES = "linux-device-trees/boards"

ANDROID = frozenset({"phone", "tablet"})  # categories of machines that run what their chip runs
LINUX_TWIN = "-linux"  # the end of a variant for machines under Linux


def category_of(row: Row) -> str:
    category: str = row.get("category", "phone")
    return category


def runs_linux_instead(row: Row, soc: Chip) -> bool:
    """Return whether a machine runs Linux, though its chip is one of phones."""
    return soc.system == "android" and category_of(row) not in ANDROID


def own_system(row: Row, soc: Chip) -> str:
    """Return the system of a machine that runs another than its chip's tag; empty if it does not.

    `system` of a row is what the source knows that its machines run.
    """
    if runs_linux_instead(row, soc):
        return "linux"
    system: str = row.get("system", soc.system)
    return "" if system == soc.system else system


@cached
def chips_under_linux() -> frozenset[str]:
    """Return the chips of phones that machines under Linux have, and those they are parts of."""
    rows = read_table(TREES).rows
    tags = {row["soc"] for row in rows if runs_linux_instead(row, chip(row["soc"]))}
    return frozenset(tags | {parent for tag in tags if (parent := chip(tag).parent)})
