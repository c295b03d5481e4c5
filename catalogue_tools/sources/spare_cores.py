"""NVIDIA GPUs of clouds, from what nvidia-smi printed on machines of Spare Cores.

The processors of instance families, the other table of this source, are kept by hand: machines
hide their model, and which machines stand for a family is a judgement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import table_reader

PATH = "data/*/*/nvidia_smi/stdout"
FACTS = {
    "memory_mib": re.compile(r"<fb_memory_usage>\s*<total>(\d+) MiB"),
    "max_clock_mhz": re.compile(r"<max_clocks>.*?<sm_clock>(\d+) MHz", re.DOTALL),
}
NAME = re.compile(r"<product_name>(?:NVIDIA )?([^<]+)</product_name>")
SLICE = re.compile(r"GRID |MIG |-\d+[QCAB]$")  # a part of a GPU


@table_reader("spare-cores/nvidia_gpus", "SpareCores/sc-inspector-data", PATH)
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the products of the table, as their machines describe them."""
    for row in table.rows:
        path = f"data/{row['seen_on']}/nvidia_smi/stdout"
        yield {**row, **_facts(path, clone.text(path), row)}
    seen = set(table.by("name"))
    for path in clone.files(PATH):
        match = NAME.search(clone.text(path))
        if match and match[1] not in seen and not SLICE.search(match[1]):
            seen.add(match[1])
            yield f"{match[1]}: seen on {'/'.join(PurePosixPath(path).parts[1:3])}"


def _facts(path: str, text: str, row: Row) -> Row:
    facts: Row = {}
    for fact, pattern in FACTS.items():
        match = pattern.search(text)
        if fact in row and not match:
            raise SourceError(f"{path} states no {fact}: has the file another form?")
        if fact in row and match:
            facts[fact] = int(match[1])
    return facts
