"""Generations and clocks of Apple GPUs, from the table in the README of metal-benchmarks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import renewed, table_reader

PATH = "README.md"
# | M1P      | 7 |  1.296 | 16 |  5308 |  5308 |  2654 |  256K | 24M |
GPU = re.compile(
    r"^\| ([AM]\d+)([PMUXZ]?) +\| (\d+) \| +(~?[\d.]+) \| +(\d+) \| +~?(\d+) \| +~?(\d+) \|",
    re.MULTILINE,
)
SUFFIXES = {"": "", "P": "-pro", "M": "-max", "U": "-ultra", "X": "x", "Z": "z"}
ABOUT = "~"


@table_reader("metal-benchmarks/apple_gpus", "philipturner/metal-benchmarks", PATH, key="chip")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the generation and clock of the chips in the table.

    Cores and peaks are those of the largest GPU that is sold with a chip. They are read for chips
    that the table has them of, because these have one only.
    """
    rows = clone.matches(PATH, GPU, "table of GPUs with generation and GHz")
    gpus = {f"{chip.lower()}{SUFFIXES[suffix]}": facts for chip, suffix, *facts in rows}
    with_cores = {row["chip"] for row in table.rows if "cores" in row}
    facts = {chip: _facts(gpu, chip in with_cores) for chip, gpu in gpus.items()}
    return renewed(table, "chip", facts, "no tag of the chip is known")


def _facts(columns: list[str], has_cores: bool) -> Row:
    generation, ghz, cores, fp32, fp16 = columns
    facts: Row = {"metal_family": int(generation)}
    if not ghz.startswith(ABOUT):
        facts["boost_mhz"] = round(float(ghz) * 1000)
    if has_cores:
        facts |= {"cores": int(cores), "fp32_gflops": int(fp32), "fp16_gflops": int(fp16)}
    return facts
