"""Memory bandwidth of Apple's chips, from the figures in asitop, a Python program."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import renewed, table_reader

PATH = "asitop/utils.py"
CHIP = re.compile(
    r'"Apple (M\d[^"]*)":\s*soc_info\["cpu_max_bw"\] = \d+\s*soc_info\["gpu_max_bw"\] = (\d+)'
)


@table_reader("asitop/apple_bandwidth", "tlkh/asitop", PATH, key="chip")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the bandwidth of the chips in the table, of which no other source disagrees."""
    chips = {
        name.lower().replace(" ", "-"): {"bandwidth_gb_per_s": int(bandwidth)}
        for name, bandwidth in clone.matches(PATH, CHIP, "gpu_max_bw of an Apple chip")
    }
    return renewed(table, "chip", chips, "sources disagree, or no tag of the chip is known")
