"""Hexagon versions of Snapdragon chips, from ExecuTorch's table of chips, a Python program."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import renewed, table_reader

REPO = "pytorch/executorch"
PATH = "backends/qualcomm/serialization/qc_schema.py"
CHIP = re.compile(
    r"SocInfo\(\s*QcomChipset\.(\w+),\s*(?:LpaiInfo\([^)]*\),\s*)?"
    r"HtpInfo\(HtpArch\.V(\d+), (\d+)\)"
)


@table_reader("executorch/hexagon_socs", REPO, PATH, key="soc")
def read_chips(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the chips of the table, whose tags were chosen by hand."""
    return renewed(table, "soc", _chips(clone), "no tag of the chip is known")


@table_reader("executorch/hexagon_versions", REPO, PATH, key="hexagon")
def read_versions(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the chips of each version that the table has: those that TVM has no tag for."""
    chips = sorted(_chips(clone).items())
    for row in table.rows:
        own = [chip for chip, facts in chips if facts["hexagon"] == row["hexagon"]]
        yield {**row, "socs": own}


def _chips(clone: Clone) -> dict[str, Row]:
    """Return LLVM's name of the version, and MiB of vector memory, by chip."""
    return {
        chip: {"hexagon": f"hexagonv{version}", "vtcm_mib": int(memory)}
        for chip, version, memory in clone.matches(PATH, CHIP, "SocInfo with an HtpInfo")
    }
