"""VM sizes of Azure, from the list that Kubernetes' cluster autoscaler generates from Azure's API.

A size is taken if Microsoft's documentation names the processors of its series.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import number, table_reader

PATH = "cluster-autoscaler/cloudprovider/azure/azure_instance_types.go"
ENTRY = re.compile(r'^\t"(?:Standard|Basic)_[^"]+": \{$(.*?)^\t\},$', re.MULTILINE | re.DOTALL)
FIELD = re.compile(r'(\w+):\s+"?([^",\n]*)"?,')
# Standard_NC24ads_A100_v4: letters, vCPUs, features, accelerator, version of the series
SIZE = re.compile(r"Standard_([A-Z]+)\d+([a-z]*)((?:_[A-Za-z0-9]+)*?)(?:_(v\d+))?")
COUNTS = ("VCPU", "MemoryMb")
SERIES = {  # of sizes whose letters are not those of their series
    "Am_v2": "av2",
    "Bals_v2": "basv2",
    "Bats_v2": "basv2",
    "Bls": "bv1",
    "Bls_v2": "bsv2",
    "Bms": "bv1",
    "Bpls_v2": "bpsv2",
    "Bpts_v2": "bpsv2",
    "Bs": "bv1",
    "Bts_v2": "bsv2",
    "HBrs_v2": "hbv2",
    "HBrs_v3": "hbv3",
    "HBrs_v4": "hbv4",
    "HCrs": "hc",
    "NCadis_H100_v5": "ncads-h100-v5",
    "NCads_A100_v4": "ncads-a100-v4",
    "NCads_H100_v5": "ncads-h100-v5",
    "NCas_T4_v3": "ncas-t4-v3",
    "NDamsr_A100_v4": "ndamsr-a100-v4",
    "NDasr_v4": "ndasr-a100-v4",
    "NDis_MI300X_v5": "ndis-mi300x-v5",
    "NDisr_H100_v5": "ndisr-h100-v5",
    "NDisr_MI300X_v5": "ndis-mi300x-v5",
    "NDrs_v2": "ndv2",
    "NVadms_A10_v5": "nvads-a10-v5",
    "NVads_A10_v5": "nvads-a10-v5",
}


@table_reader(
    "cluster-autoscaler/azure_sizes", "kubernetes/autoscaler", PATH, key="size", sort=True
)
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the sizes of documented series; GPUs only of sizes that the table has.

    Leaves out promotions, sizes with constrained vCPUs, and sizes without a number of vCPUs or
    memory. Which accelerator a size has stands on a page of the series, not in the list.
    """
    entries = [dict(FIELD.findall(entry)) for entry in clone.matches(PATH, ENTRY, "sizes")]
    present, documented = table.by("size"), read_table("azure-docs/series").by("series")
    with_gpus = {row["series"] for row in table.rows if "gpu" in row}
    for name, letters, entry in _usable(entries):
        series = SERIES.get(letters, letters.replace("_", "").lower())
        if series not in documented:
            yield f"{letters}: azure-docs/series lacks its processors"
        elif series in with_gpus and "gpu" not in present.get(name, {}):
            yield f"{name}: no source for its accelerator"
        else:
            yield _row(name, series, entry, present.get(name, {}))


def _usable(entries: list[dict[str, str]]) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Yield name, letters with version, and fields of each size that is not left out."""
    for entry in entries:
        name = entry.get("InstanceType", "")
        match = SIZE.fullmatch(name)
        if match and "Promo" not in name and "0" not in (entry.get(field) for field in COUNTS):
            letters, features, accelerator, version = match.groups()
            yield name, f"{letters}{features}{accelerator}{f'_{version}' if version else ''}", entry


def _row(name: str, series: str, entry: Mapping[str, str], present: Row) -> Row:
    vcpus, memory = (number(entry.get(field, ""), f"{field} of {name}") for field in COUNTS)
    row: Row = {"size": name, "series": series, "vcpus": vcpus, "memory_mib": memory}
    if "gpu" in present:
        row["gpu"] = present["gpu"]
    if "gpus" in present:  # the list states 0 for a size that it knows nothing of
        row["gpus"] = number(entry.get("GPU", ""), f"GPU of {name}") or present["gpus"]
    return row
