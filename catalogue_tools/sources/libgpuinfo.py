"""Mali and Immortalis GPUs, from the products that Arm's libGPUInfo knows."""

from __future__ import annotations

import re

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import Reader, Reading, require

PATH = "source/libgpuinfo.cpp"
PRODUCT = re.compile(r'product_entry \{[^}"]*"([^"]+)",\s*"([^"]+)"')


def read(clone: Clone, _table: Table) -> Reading:
    """Return the products, each once: several have one name and different numbers of cores."""
    products = dict(PRODUCT.findall(clone.text(PATH)))
    require(products, PATH, "product_entry with name and architecture")
    rows: list[Row] = [
        {"name": name.replace("Mali G", "Mali-G"), "architecture": architecture}
        for name, architecture in products.items()
    ]
    return Reading(tuple(sorted(rows, key=lambda row: str(row["name"]))))


READERS = (Reader("libgpuinfo/mali", "ARM-software/libGPUInfo", (PATH,), ("name",), read),)
