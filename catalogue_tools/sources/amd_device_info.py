"""AMD GPUs that ROCm's documentation does not list, from the device table of AMD's tools."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.names import slug
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.reader import table_reader

PATH = "DeviceInfo.cpp"
# {GDT_NAVI10, 0x7312, 0x00, GDT_HW_GENERATION_GFX10, false, "gfx1010", "AMD Radeon Pro W5700"}
DEVICE = re.compile(
    r"\{ ?GDT_\w+, 0x([0-9A-Fa-f]+), 0x[0-9A-Fa-f]+, GDT_HW_GENERATION_\w+, (?:true|false), "
    r'"(gfx\w+)", "([^"]*)" ?\}'
)
MARKS = re.compile(r"\s*\(TM\)|\(tm\)|\(R\)")
# Samples, virtual GPUs, and names that many products share.
LEFT_OUT = re.compile(
    r"AMD Radeon( Graphics)?$|[0-9A-F]{4}:"
    r"|.*(series|MxGPU|Graphic$|15DD|MI25x2|WS$|XHF$|Magic Leap)|Ryzen9"
)
TWO_CHIPS = {"Radeon 840M"}  # sold with chips of two architectures
UNKNOWN_TO_LLVM = {"gfx804"}


@table_reader("amd-device-info/gpus", "GPUOpen-Tools/device_info", PATH)
def read(clone: Clone, _table: Table) -> Iterator[Row | str]:
    """Yield the products of known architectures that ROCm's table lacks, with their ids."""
    ids: dict[tuple[str, str], set[str]] = defaultdict(set)
    for device, gfx, text in DEVICE.findall(clone.text(PATH)):
        name = MARKS.sub("", text).strip()
        if gfx not in UNKNOWN_TO_LLVM and not LEFT_OUT.match(name):
            ids[gfx, _product(name, gfx)].add(device.lower())
    require(ids, PATH, "devices with a name and a gfx number")
    architectures = read_table("rocm-docs/amd_architectures").by("gfx")
    listed = {slug(name) for name in read_table("rocm-docs/amd_gpus").by("name")}
    for (gfx, name), devices in sorted(ids.items()):
        if slug(name) not in listed and gfx in architectures:
            yield {"name": name, "gfx": gfx, "pci": sorted(devices)}
        elif slug(name) not in listed:
            yield f"{name}: rocm-docs/amd_architectures lacks {gfx}"


def _product(name: str, gfx: str) -> str:
    product = name.removeprefix("AMD ").removesuffix(" Graphics")
    return f"{product} ({gfx})" if product in TWO_CHIPS else product
