"""AMD GPUs, from the hardware specifications of ROCm's documentation.

The architectures, the other table of this source, are kept by hand: they join two pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.reader import table_reader

PATH = "docs/reference/gpu-specs.rst"
INSTINCT = "instinct-arch-spec-table"
OLD_INSTINCT = {"MI6", "MI8", "MI25"}  # sold as Radeon Instinct
# Facts of the page that are doubtful: Navi 14 has 2 MiB; cards are sold with 12 GiB, with 8 or 16.
DOUBTFUL = {
    ("Radeon Pro W5500", "l2_mib"),
    ("Radeon RX 9070 GRE", "memory_gib"),
    ("Radeon RX 9060 XT", "memory_gib"),
}
FACTS = {  # columns
    "compute_units": ("Compute Units",),
    "memory_gib": ("VRAM (GiB)",),
    "l2_mib": ("L2 Cache (MiB)",),
    "l3_mib": ("L3 Cache (MiB)", "Infinity Cache (MiB)"),
}


@table_reader("rocm-docs/amd_gpus", "ROCm/legacy-rocm-build", PATH)
def read(clone: Clone, _table: Table) -> Iterator[Row | str]:
    """Yield the products of known architectures, each once."""
    architectures = read_table("rocm-docs/amd_architectures").by("gfx")
    rows: dict[str, Row] = {}
    for title, cells in _products(clone.text(PATH)):
        row = _row(title, cells)
        if row["gfx"] in architectures:
            rows.setdefault(row["name"], row)
        else:
            yield f"{row['name']}: rocm-docs/amd_architectures lacks {row['gfx']}"
    require(rows, PATH, "tables of products")
    yield from sorted(rows.values(), key=lambda row: (row["gfx"], row["name"]))


def _products(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each line of the page's tables, by column, with the name of its table."""
    for table in text.split(".. list-table::")[1:]:
        title = re.search(r":name: (\S+)", table)
        lines: list[list[str]] = []
        for line in table.splitlines():
            if re.fullmatch(r"\s+\*\s*", line):
                lines.append([])
            elif lines and (cell := re.fullmatch(r"\s+-(?: (.*))?", line)):
                lines[-1].append((cell[1] or "").strip())
        for cells in lines[1:]:
            yield title[1] if title else "", dict(zip(lines[0], cells, strict=False))


def _row(title: str, cells: dict[str, str]) -> Row:
    name = cells.get("Graphics model") or cells.get("Name", "")
    if title == INSTINCT:
        name = re.sub("[()]", "", name)
        name = f"Radeon Instinct {name}" if name in OLD_INSTINCT else f"Instinct {name}"
    require(name and cells.get("LLVM target name"), PATH, "columns Name and LLVM target name")
    row: Row = {"name": name, "gfx": cells["LLVM target name"]}
    for fact, columns in FACTS.items():
        text = next((cells[column] for column in columns if column in cells), "")
        count = re.match(r"\d+", text)
        if count and (name, fact) not in DOUBTFUL:
            row[fact] = int(count[0])
    return row
