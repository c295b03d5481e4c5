"""Hexagon versions of Snapdragon chips, from ExecuTorch's table of chips, a Python program."""

from __future__ import annotations

import re
from collections.abc import Mapping

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import Reader, Reading, require

REPO = "pytorch/executorch"
PATH = "backends/qualcomm/serialization/qc_schema.py"
CHIP = re.compile(
    r"SocInfo\(\s*QcomChipset\.(\w+),\s*(?:LpaiInfo\([^)]*\),\s*)?"
    r"HtpInfo\(HtpArch\.V(\d+), (\d+)\)"
)


def read_chips(clone: Clone, table: Table) -> Reading:
    """Return the chips of the table, whose tags were chosen by hand."""
    chips = _chips(clone)
    present = {row["soc"] for row in table.rows}
    rows: list[Row] = [
        {**row, "hexagon": chips[row["soc"]][0], "vtcm_mib": chips[row["soc"]][1]}
        for row in table.rows
        if row["soc"] in chips
    ]
    others = sorted(chips.keys() - present)
    return Reading(tuple(rows), tuple(f"{chip}: no tag of the chip is known" for chip in others))


def read_versions(clone: Clone, table: Table) -> Reading:
    """Return the chips of each version that the table has: those that TVM has no tag for."""
    chips = _chips(clone)
    rows = [
        {**row, "socs": sorted(chip for chip, fact in chips.items() if fact[0] == row["hexagon"])}
        for row in table.rows
    ]
    return Reading(tuple(rows))


def _chips(clone: Clone) -> Mapping[str, tuple[str, int]]:
    """Return LLVM's name of the version, and MiB of vector memory, by chip."""
    text = clone.text(PATH)
    chips = {
        chip: (f"hexagonv{version}", int(memory)) for chip, version, memory in CHIP.findall(text)
    }
    require(chips, PATH, "SocInfo with an HtpInfo")
    return chips


READERS = (
    Reader("executorch/hexagon_socs", REPO, (PATH,), ("soc",), read_chips),
    Reader("executorch/hexagon_versions", REPO, (PATH,), ("hexagon",), read_versions),
)
