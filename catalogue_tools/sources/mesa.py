"""Adreno GPUs, from the device table of Mesa's freedreno driver, a Python program.

The products were chosen by hand: the table also has names of development and of speed grades.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.reader import renewed, table_reader

PATH = "src/freedreno/common/freedreno_devices.py"
GPU = re.compile(r'GPUId\((?:gpu_id ?= ?)?(\d+)\)|GPUId\([^)"]*name ?= ?"([^"]+)"')
GENERATION = re.compile(r"CHIP\.(A\dXX)")
SHARED = re.compile(r"cs_shared_mem_size\s*=\s*(\d+) \* 1024")
# Products that the program lists under the names of their speed grades.
NAMES = {"Adreno 635": "Adreno 7c+ Gen 3", "Adreno 642L": "Adreno 7c+ Gen 3"}
LEFT_OUT = {"Adreno A32", *NAMES.values()}  # the first is a name of development


@table_reader("mesa/adreno", "bminor/mesa-mesa", PATH)
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the generation and shared memory of the products in the table."""
    gpus = dict(_gpus(clone.text(PATH)))
    require(gpus, PATH, "add_gpus with CHIP and cs_shared_mem_size")
    grades = {grade: gpus[name] for grade, name in NAMES.items() if name in gpus}
    others = {name: facts for name, facts in gpus.items() if name not in LEFT_OUT}
    return renewed(table, "name", others | grades, "not among the chosen products")


def _gpus(program: str) -> Iterator[tuple[str, Row]]:
    """Yield each GPU of the program with its facts; those without shared memory run no kernels."""
    for block in program.split("add_gpus([")[1:]:
        generation, shared = GENERATION.search(block), SHARED.search(block)
        if generation and shared:
            facts: Row = {"generation": generation[1].lower(), "shared_kib": int(shared[1])}
            for number, name in GPU.findall(block):
                yield _product(number or name), facts


def _product(name: str) -> str:
    return f"Adreno {re.sub(r'^(FD|Adreno ?)', '', name)}"
