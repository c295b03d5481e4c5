"""Memory of graphics cards, from the product listings of BuildCores OpenDB.

One size where all cards of a product have it, or the product's name states it; else all sizes.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.names import slug
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.opendb import REPO
from catalogue_tools.sources.reader import form_of, table_reader

CARDS = "open-db/GPU/*.json"
AMD = ("rocm-docs/amd_gpus", "amd-device-info/gpus", "pci-ids/amd_gpus")  # tables of products
SIZE = re.compile(r"^(.*?) (\d+) ?GB( Blackwell)?$")  # at the end of a name
TWO_GPUS = {"GeForce GTX 590", "GeForce GTX 690", "GeForce GTX TITAN Z", "NVS 810"}  # their sum
SPELLINGS = {
    "GP100": "Quadro GP100",
    "RTX PRO 6000 Blackwell": "RTX PRO 6000 Blackwell Workstation Edition",
    "RTX PRO 4500 Blackwell Workstation Edition": "RTX PRO 4500 Blackwell",
}
OLDEST = 50  # compute capability, times ten; older names were given to several chips


@table_reader("opendb/amd_memory", REPO, "open-db/GPU")
def read_amd(clone: Clone, _table: Table) -> Iterator[Row]:
    """Yield the memory of products that ROCm's documentation gives none for."""
    sizes: dict[str, set[int]] = defaultdict(set)
    for chipset, size in _cards(clone, "AMD"):
        sizes[slug(re.sub(r" \d+ ?GB$", "", chipset))].add(size)
    rows = [row for table in AMD for row in read_table(table).rows if "memory_gib" not in row]
    names = sorted({row["name"] for row in rows})
    return _rows({name: sizes[slug(name)] for name in names})


@table_reader("opendb/nvidia_memory", REPO, "open-db/GPU")
def read_nvidia(clone: Clone, _table: Table) -> Iterator[Row]:
    """Yield the memory of products from Maxwell on; mobile ones have several sizes."""
    sizes: dict[str, set[int]] = defaultdict(set)
    for chipset, size in _cards(clone, "NVIDIA"):
        if "LHR" not in chipset:
            sizes[_spelled(chipset).lower()].add(size)
    names = _nvidia_products()
    stated = {name: match for name in names if (match := SIZE.match(name))}
    sizes_by_name = {}
    for name in sorted(names):
        if match := stated.get(name):
            sizes_by_name[name] = sizes[_without_size(match).lower()] & {int(match[2])}
        else:
            own = {int(other[2]) for other in stated.values() if _without_size(other) == name}
            sizes_by_name[name] = sizes[name.lower()] - own
    return _rows(sizes_by_name)


def _nvidia_products() -> set[str]:
    rows = (*read_table("pci-ids/nvidia_gpus").rows, *read_table("tvm/nvidia_tags").rows)
    return {
        row["name"]
        for row in rows
        if int(row["arch"].removeprefix("sm_").rstrip("a")) >= OLDEST
        and not re.search("Laptop|Mobile", row["name"])
    } - TWO_GPUS


def _spelled(chipset: str) -> str:
    match = SIZE.match(chipset)
    name = _without_size(match) if match else chipset
    name = re.sub(r" Ada$", " Ada Generation", name)
    name = name.replace("Titan X (Pascal)", "TITAN X Pascal").replace("Titan", "TITAN")
    return SPELLINGS.get(name, name)


def _without_size(match: re.Match[str]) -> str:
    return match[1] + (match[3] or "")


def _cards(clone: Clone, maker: str) -> Iterator[tuple[str, int]]:
    """Yield the GPU of each card of a maker, with its GiB of memory."""
    count = 0
    for path in clone.files(CARDS):
        with form_of(path, "is no listing of a card"):
            card = json.loads(clone.text(path))
            chipset, memory = card.get("chipset"), card.get("memory")
            wanted = card.get("chipset_manufacturer") == maker
        if wanted and chipset and memory:
            count += 1
            yield chipset, memory
    require(count, CARDS, f"cards of {maker}")


def _rows(sizes: Mapping[str, Collection[int]]) -> Iterator[Row]:
    for name, sold in sizes.items():
        if len(sold) == 1:
            yield {"name": name, "memory_gib": min(sold)}
        elif sold:
            yield {"name": name, "options_gib": sorted(sold)}
