"""Architectures of NVIDIA's and AMD's GPUs, by the chips that pci.ids names for their device ids.

Products and their ids were chosen by hand, some of them from NVIDIA's driver. Those of AMD are
cards that other tables lack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError, require
from catalogue_tools.sources.reader import table_reader

PATH = "pci.ids"
DEVICE = re.compile(r"^\t([0-9a-f]{4})  (\w+)(?: \[(.+)\])?$", re.MULTILINE)
AMD_DEVICE = re.compile(r"^\t([0-9a-f]{4})  (\w+).* \[.+\]$", re.MULTILINE)
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
# LLVM's names of AMD's chips: it lists R9 Nano, RX 470 and RX 460, and for Tonga the R9 380.
GFX = {"Fiji": "gfx803", "Ellesmere": "gfx803", "Baffin": "gfx803", "Tonga": "gfx802"}
NEW = 75  # Turing and later: products that people miss
SAMPLE = re.compile("Engineering|Dev ID|Prototype|ES$")


@table_reader("pci-ids/nvidia_gpus", "pciutils/pciids", PATH)
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the products of the table with the oldest capability that their chips have."""
    listed = _listed(clone, "10de", DEVICE)
    devices = {device: (chip, name) for device, chip, name in listed}
    yield from ({**row, "arch": _architecture(row, devices)} for row in table.rows)
    present = {device for row in table.rows for device in row["pci"]}
    for device in devices.keys() - present:
        chip, name = devices[device]
        if name and _capability(chip) >= NEW and not SAMPLE.search(name):
            yield f"{device}: {chip}, {name}"


@table_reader("pci-ids/amd_gpus", "pciutils/pciids", PATH)
def read_amd(clone: Clone, table: Table) -> Iterator[Row]:
    """Yield the cards of the table, each with the chip of its device ids and LLVM's name of it."""
    chips: dict[str, str] = dict(_listed(clone, "1002", AMD_DEVICE))
    for row in table.rows:
        names = sorted({chips.get(device, str(row["chip"])) for device in row["pci"]})
        if len(names) > 1 or names[0] not in GFX:
            chip = "the chips" if len(names) > 1 else "the chip"
            raise SourceError(f"{row['name']} has {chip} {' and '.join(names)}: which gfx is that?")
        yield {**row, "gfx": GFX[names[0]], "chip": names[0]}


def _listed(clone: Clone, vendor: str, device: re.Pattern[str]) -> list[Any]:
    """Return what a pattern matches in the devices of a vendor."""
    section = rf"^{vendor}  .*\n((?:[\t#].*\n|\n)*)"
    match = re.search(section, clone.text(PATH), re.MULTILINE)
    listed = device.findall(match[1]) if match else []
    require(listed, PATH, f"devices of vendor {vendor}")
    return listed


def _architecture(row: Row, devices: Mapping[str, tuple[str, str]]) -> str:
    """Return the oldest architecture of a product's chips; that of the row if one is unknown."""
    capabilities = [_capability(devices[item][0]) if item in devices else 0 for item in row["pci"]]
    return f"sm_{min(capabilities)}" if all(capabilities) else str(row["arch"])


def _capability(chip: str) -> int:
    """Return the compute capability of a chip, times ten; 0 if it is none of the table's."""
    names = [name for name in CAPABILITIES if chip.startswith(name)]
    return CAPABILITIES[max(names, key=len)] if names else 0
