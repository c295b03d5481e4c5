"""AMD GPUs that ROCm's documentation does not list, from the device table of AMD's tools."""

from __future__ import annotations

import re
from collections import defaultdict

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.names import slug
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import Reader, Reading, require

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


def read(clone: Clone, _table: Table) -> Reading:
    """Return the products of known architectures that ROCm's table lacks, with their ids."""
    ids: dict[tuple[str, str], set[str]] = defaultdict(set)
    for device, gfx, text in DEVICE.findall(clone.text(PATH)):
        name = MARKS.sub("", text).strip()
        if gfx not in UNKNOWN_TO_LLVM and not LEFT_OUT.match(name):
            ids[gfx, _product(name, gfx)].add(device.lower())
    require(ids, PATH, "devices with a name and a gfx number")
    architectures = {row["gfx"] for row in read_table("rocm-docs/amd_architectures").rows}
    listed = {slug(row["name"]) for row in read_table("rocm-docs/amd_gpus").rows}
    new = {key: sorted(ids[key]) for key in sorted(ids) if slug(key[1]) not in listed}
    rows: list[Row] = [
        {"name": name, "gfx": gfx, "pci": devices}
        for (gfx, name), devices in new.items()
        if gfx in architectures
    ]
    others = [
        f"{name}: rocm-docs/amd_architectures lacks {gfx}"
        for gfx, name in new
        if gfx not in architectures
    ]
    return Reading(tuple(rows), tuple(others))


def _product(name: str, gfx: str) -> str:
    product = name.removeprefix("AMD ").removesuffix(" Graphics")
    return f"{product} ({gfx})" if product in TWO_CHIPS else product


READERS = (Reader("amd-device-info/gpus", "GPUOpen-Tools/device_info", (PATH,), ("name",), read),)
