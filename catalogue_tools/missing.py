"""Lists the products that people look for and that no source describes well enough."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import read_table
from catalogue_tools.tags import Missing

TABLES = {  # by table: what is missing
    "missing_accelerators": "GPUs and neural processors",
    "missing_cloud_types": "Cloud instances",
    "missing_cpus": "Processors",
    "missing_devices": "Chips and devices",
    "missing_gpus": "GPUs and neural processors",
    "missing_microcontrollers": "Microcontrollers and their boards",
}


def tags() -> Iterator[Missing]:
    """Yield the products, each with what is missing."""
    for table, group in TABLES.items():
        for row in read_table(f"corrections/{table}").rows:
            yield Missing(row["product"], row["reason"], group)
