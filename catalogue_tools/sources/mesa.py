"""Adreno GPUs, from the device table of Mesa's freedreno driver, a Python program.

The products were chosen by hand: the table also has names of development and of speed grades.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import Reader, Reading, require

PATH = "src/freedreno/common/freedreno_devices.py"
GPU = re.compile(r'GPUId\((?:gpu_id ?= ?)?(\d+)\)|GPUId\([^)"]*name ?= ?"([^"]+)"')
GENERATION = re.compile(r"CHIP\.(A\dXX)")
SHARED = re.compile(r"cs_shared_mem_size\s*=\s*(\d+) \* 1024")
LEFT_OUT = {"Adreno A32"}  # a name of development
# Products that the program lists under the names of their speed grades.
NAMES = {"Adreno 635": "Adreno 7c+ Gen 3", "Adreno 642L": "Adreno 7c+ Gen 3"}


def read(clone: Clone, table: Table) -> Reading:
    """Return the generation and shared memory of the products in the table."""
    found = dict(_gpus(clone.text(PATH)))
    require(found, PATH, "add_gpus with CHIP and cs_shared_mem_size")
    products: list[str] = [row["name"] for row in table.rows]
    names = {product: NAMES.get(product, product) for product in products}
    rows = tuple(
        {**row, **found[names[row["name"]]]} for row in table.rows if names[row["name"]] in found
    )
    others = sorted(found.keys() - {*names.values(), *LEFT_OUT})
    return Reading(rows, tuple(f"{name}: not among the chosen products" for name in others))


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


READERS = (Reader("mesa/adreno", "bminor/mesa-mesa", (PATH,), ("name",), read),)
