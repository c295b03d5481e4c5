"""Compute capabilities of NVIDIA GPUs, by the chips that pci.ids names for their device ids.

Products and their ids were chosen by hand, some of them from NVIDIA's driver.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.reader import table_reader

PATH = "pci.ids"
NVIDIA = re.compile(r"^10de  .*\n((?:[\t#].*\n|\n)*)", re.MULTILINE)
DEVICE = re.compile(r"^\t([0-9a-f]{4})  (\w+)(?: \[(.+)\])?$", re.MULTILINE)
# Compute capabilities, times ten, of chips; a longer name counts more: GB10B is no GB10.
CAPABILITIES = {
    "GK10": 30,
    "GK110": 35,
    "GK180": 35,
    "GK208": 35,
    "GK210": 37,
    "GM10": 50,
    "GM20": 52,
    "GP100": 60,
    "GP10": 61,
    "GV100": 70,
    "TU1": 75,
    "GA100": 80,
    "GA10": 86,
    "AD10": 89,
    "GH100": 90,
    "GB10": 100,
    "GB10B": 110,
    "GB11": 103,
    "GB20": 120,
    "GB20B": 121,
}
NEW = 75  # Turing and later: products that people miss
SAMPLE = re.compile("Engineering|Dev ID|Prototype|ES$")


@table_reader("pci-ids/nvidia_gpus", "pciutils/pciids", PATH)
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the products of the table with the oldest capability that their chips have."""
    match = NVIDIA.search(clone.text(PATH))
    listed = DEVICE.findall(match[1]) if match else []
    require(listed, PATH, "devices of vendor 10de")
    devices = {device: (chip, name) for device, chip, name in listed}
    yield from ({**row, "arch": _architecture(row, devices)} for row in table.rows)
    present = {device for row in table.rows for device in row["pci"]}
    for device in devices.keys() - present:
        chip, name = devices[device]
        if name and _capability(chip) >= NEW and not SAMPLE.search(name):
            yield f"{device}: {chip}, {name}"


def _architecture(row: Row, devices: Mapping[str, tuple[str, str]]) -> str:
    """Return the oldest architecture of a product's chips; that of the row if one is unknown."""
    capabilities = [_capability(devices[item][0]) if item in devices else 0 for item in row["pci"]]
    return f"sm_{min(capabilities)}" if all(capabilities) else str(row["arch"])


def _capability(chip: str) -> int:
    """Return the compute capability of a chip, times ten; 0 if it is none of the table's."""
    names = [name for name in CAPABILITIES if chip.startswith(name)]
    return CAPABILITIES[max(names, key=len)] if names else 0
