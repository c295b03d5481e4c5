"""Mali and Immortalis GPUs, from the products that Arm's libGPUInfo knows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import table_reader

PATH = "source/libgpuinfo.cpp"
PRODUCT = re.compile(r'product_entry \{[^}"]*"([^"]+)",\s*"([^"]+)"')


@table_reader("libgpuinfo/mali", "ARM-software/libGPUInfo", PATH)
def read(clone: Clone, _table: Table) -> Iterator[Row]:
    """Yield the products, each once: several have one name and different numbers of cores."""
    products = dict(clone.matches(PATH, PRODUCT, "product_entry with name and architecture"))
    spelled = {name.replace("Mali G", "Mali-G"): text for name, text in products.items()}
    for name, architecture in sorted(spelled.items()):
        yield {"name": name, "architecture": architecture}
