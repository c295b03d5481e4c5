"""NVIDIA GPUs of clouds, from what nvidia-smi printed on machines of Spare Cores.

The processors of instance families, the other table of this source, are kept by hand: machines
hide their model, and which machines stand for a family is a judgement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import table_reader

PATH = "data/*/*/nvidia_smi/stdout"
MEMORY = re.compile(r"<fb_memory_usage>\s*<total>(\d+) MiB")
NAME = re.compile(r"<product_name>(?:NVIDIA )?([^<]+)</product_name>")
SLICE = re.compile(r"GRID |MIG |-\d+[QCAB]$")  # a part of a GPU


@table_reader("spare-cores/nvidia_gpus", "SpareCores/sc-inspector-data", PATH)
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the products of the table, as their machines describe them."""
    for row in table.rows:
        path = f"data/{row['seen_on']}/nvidia_smi/stdout"
        sizes = clone.matches(path, MEMORY, "memory of a GPU")
        yield {**row, "memory_mib": int(sizes[0])}
    seen = set(table.by("name"))
    for path in clone.files(PATH):
        match = NAME.search(clone.text(path))
        if match and match[1] not in seen and not SLICE.search(match[1]):
            seen.add(match[1])
            yield f"{match[1]}: seen on {'/'.join(PurePosixPath(path).parts[1:3])}"
