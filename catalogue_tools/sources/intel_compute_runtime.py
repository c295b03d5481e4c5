"""Intel GPUs, by the names that Intel's OpenCL driver reports.

The platforms, the other table of this source, are kept by hand.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.reader import table_reader

PATH = "shared/source/dll/devices/devices_base.inl"
# NAMEDDEVICE(0x56A0, Dg2HwConfig, "Intel(R) Arc(TM) A770 Graphics")
DEVICE = re.compile(r'^NAMEDDEVICE\(0x([0-9A-Fa-f]+), (\w+?)HwConfig, "(.*)"\)', re.MULTILINE)
PLATFORMS = {
    "Adls": "alder-lake-s-gpu",
    "Bmg": "battlemage",
    "Dg2": "alchemist",
    "Ptl": "panther-lake-gpu",
    "Pvc": "ponte-vecchio",
    "Rkl": "rocket-lake-gpu",
}
# Names that several platforms share, and virtual functions.
LEFT_OUT = re.compile(
    r"(Arc |UHD |Iris Xe )?Graphics|Iris Xe MAX.*|Server GPU SG-18M"
    r"|Data Center GPU (Max 1550VG|Flex 170V)"
)
SPELLINGS = {"Arc A310 LP": "Arc A310"}
TWO_CARDS = re.compile(r"(Arc Pro )(\w+)/(\w+)")  # of one name: "Arc Pro A40/A50"
KEPT = "name_of_tag"  # chosen by hand


@table_reader("intel-compute-runtime/gpus", "intel/compute-runtime", PATH, key="platform name")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the products of known platforms with their device ids."""
    present = {(row["platform"], row["name"]): row for row in table.rows}
    devices: dict[tuple[str, str], list[str]] = defaultdict(list)
    for device, config, text in DEVICE.findall(clone.text(PATH)):
        name = re.sub(r"\((?:R|TM)\)", "", text).removeprefix("Intel ")
        if LEFT_OUT.fullmatch(name):
            continue
        for product in _products(name):
            if config in PLATFORMS:
                devices[PLATFORMS[config], product].append(device.lower())
            else:
                yield f"{product}: {config} is none of the platforms with tags"
    require(devices, PATH, "NAMEDDEVICE with a known platform")
    for (platform, name), pci in sorted(devices.items()):
        old = present.get((platform, name), {})
        kept = {KEPT: old[KEPT]} if KEPT in old else {}
        yield {"name": name, "platform": platform, "pci": pci, **kept}


def _products(name: str) -> list[str]:
    if name.startswith("UHD Graphics"):
        return [name]
    short = name.removesuffix(" Graphics").removesuffix(" GPU")
    if cards := TWO_CARDS.fullmatch(short):
        return [cards[1] + model for model in cards.groups()[1:]]
    return [SPELLINGS.get(short, short)]
