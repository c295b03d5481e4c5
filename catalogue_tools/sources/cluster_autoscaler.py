"""VM sizes of Azure, from the list that Kubernetes' cluster autoscaler generates from Azure's API.

A size is taken if the processors of its series are known: from Microsoft or from its machines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from catalogue_tools.clouds.families import azure_letters, azure_series
from catalogue_tools.clouds.guests import measured
from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import number, table_reader

PATH = "cluster-autoscaler/cloudprovider/azure/azure_instance_types.go"
ENTRY = re.compile(r'^\t"(?:Standard|Basic)_[^"]+": \{$(.*?)^\t\},$', re.MULTILINE | re.DOTALL)
FIELD = re.compile(r'(\w+):\s+"?([^",\n]*)"?,')
COUNTS = ("VCPU", "MemoryMb")


@table_reader(
    "cluster-autoscaler/azure_sizes", "kubernetes/autoscaler", PATH, key="size", sort=True
)
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the sizes of series with known processors; GPUs only of sizes that the table has.

    Leaves out promotions, sizes with constrained vCPUs, and sizes without a number of vCPUs or
    memory. Which accelerator a size has stands on a page of the series, not in the list.
    """
    entries = [dict(FIELD.findall(entry)) for entry in clone.matches(PATH, ENTRY, "sizes")]
    present, documented = table.by("size"), read_table("azure-docs/series").by("series")
    known = documented.keys() | measured("azure").keys()
    with_gpus = {row["series"] for row in table.rows if "gpu" in row}
    for name, letters, entry in _usable(entries):
        series = azure_series(letters)
        if series not in known:
            yield f"{letters}: azure-docs/series and spare-cores/guests lack its processors"
        elif series in with_gpus and "gpu" not in present.get(name, {}):
            yield f"{name}: no source for its accelerator"
        else:
            yield _row(name, series, entry, present.get(name, {}))


def _usable(entries: list[dict[str, str]]) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Yield name, letters with version, and fields of each size that is not left out."""
    for entry in entries:
        name = entry.get("InstanceType", "")
        letters = "" if "-" in name or "Promo" in name else azure_letters(name)
        if letters and "0" not in (entry.get(field) for field in COUNTS):
            yield name, letters, entry


def _row(name: str, series: str, entry: Mapping[str, str], present: Row) -> Row:
    vcpus, memory = (number(entry.get(field, ""), f"{field} of {name}") for field in COUNTS)
    row: Row = {"size": name, "series": series, "vcpus": vcpus, "memory_mib": memory}
    if "gpu" in present:
        row["gpu"] = present["gpu"]
    if "gpus" in present:  # the list states 0 for a size that it knows nothing of
        row["gpus"] = number(entry.get("GPU", ""), f"GPU of {name}") or present["gpus"]
    return row
