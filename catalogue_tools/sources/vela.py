"""Configurations of Ethos-U: U55 and U65 from Vela, U85 from the names that ExecuTorch takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import table_reader

TABLE = "vela/ethos_u"
VELA = "ethosu/vela/architecture_features.py"
EXECUTORCH = "backends/arm/scripts/aot_arm_compiler.py"
# Accelerator.Ethos_U65_512: ArchitectureConfig(256, 2, ...): MACs of a core, cores
CONFIGURATION = re.compile(r"Accelerator\.Ethos_(U\d+)_(\d+): ArchitectureConfig\(\s*(\d+), (\d+),")
NAME = re.compile(r'"ethos-(u85)-(\d+)"')
SOURCES = {"U55": 0, "U65": 0, "U85": 1}  # in the table's header


@table_reader(TABLE, "nxp-imx/ethos-u-vela", VELA, sort=True)
def read_vela(clone: Clone, table: Table) -> Iterator[Row]:
    """Yield the table with Vela's configurations of U55 and U65."""
    configurations = clone.matches(VELA, CONFIGURATION, "ArchitectureConfig of an Ethos-U")
    rows = [
        _row(name, size) | {"macs": int(macs) * int(cores), "cores": int(cores)}
        for name, size, macs, cores in configurations
        if SOURCES.get(name) == 0
    ]
    return _joined(table, rows, 0)


@table_reader(TABLE, "pytorch/executorch", EXECUTORCH, sort=True)
def read_executorch(clone: Clone, table: Table) -> Iterator[Row]:
    """Yield the table with ExecuTorch's configurations of U85, whose names state the MACs."""
    names = clone.matches(EXECUTORCH, NAME, "names such as ethos-u85-256")
    rows = {size: _row(name.upper(), size) for name, size in names}
    return _joined(table, rows.values(), 1)


def _row(name: str, size: str) -> Row:
    return {"name": f"Ethos-{name}-{size}", "macs": int(size)}


def _joined(table: Table, rows: Iterable[Row], source: int) -> Iterator[Row]:
    """Yield rows of one source with those that the table has of the other."""
    yield from (row for row in table.rows if row["source"] != source)
    yield from ({**row, "source": source} for row in rows)
