"""The table of names by which drivers, tools and people call machines.

Names that tables record come first. Products are also called by their model and, where no other
product can be meant, by a part of it: `7840hs`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catalogue_tools.facts import read_table
from catalogue_tools.tags import Missing
from registry.domain.document import Json
from registry.domain.names.machine_names import fold_machine_name
from registry.domain.pointer import natural_key
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import GENERATED

MACHINE_NAMES, MISSING = "machine_names.json", "missing.json"
DRIVERS, AMBIGUOUS, ABSENT = "device-names/gpus", "names/ambiguous", "device-names/absent"
DEVICES = ("names/devices", "lineageos/names")
PCI = {  # vendor by the table that states device ids
    "pci-ids/nvidia_gpus": "10de",
    "intel-compute-runtime/gpus": "8086",
    "amd-device-info/gpus": "1002",
    "pci-ids/amd_gpus": "1002",
}
AMD = "1002"
SHARED_IDS = "AMD's products share device ids; revisions tell them apart"
SHARED_NAME = "drivers print this name for several products"

GPU_VENDORS = frozenset({"amd", "intel", "nvidia"})
NO_VENDORS = frozenset({"boards", "example", "generic"})
PROCESSOR = re.compile(r"\b(?:Core|Xeon|Ryzen|EPYC|Athlon|Celeron|Pentium)\b")
# Both makers have sold four digits with X, U, F, E or T: `7900x`, `5500u`, `9700f`.
PART_NUMBER = re.compile(r"[0-9]{5}[a-z]{1,2}|[0-9]{4}(?![xufet]$)[a-z]{1,2}(?:3d)?", re.IGNORECASE)
SHORTEST = 2  # letters and digits; one of them names nothing


@dataclass(frozen=True, slots=True)
class Product:
    """A tag of one product with its aliases and its model."""

    tag: str
    aliases: tuple[str, ...]
    model: str

    @property
    def vendor(self) -> str:
        """Return the namespace, as part of a name."""
        namespace = self.tag.partition("/")[0]
        return "" if namespace in NO_VENDORS else namespace


def names_text(files: Mapping[str, str]) -> str:
    """Return the text of the table for the hand-written tags and generated files, by path."""
    generated = [
        tag
        for path, text in files.items()
        if path.startswith(f"{GENERATED}/")
        for tag in json.loads(text)["tags"]
    ]
    own = {tag["tag"] for tag in generated}
    written = (
        Product(tag.name, tag.aliases, _model(tag.versions[-1].body))
        for tag in shipped_facts.written_tags()
        if tag.name not in own and not tag.is_family
    )
    products = [
        *written,
        *(
            Product(tag["tag"], tuple(tag.get("aliases", ())), _model(tag["versions"][-1]["target"]))
            for tag in generated
            if not tag.get("family")
        ),
    ]
    missing = (Missing(**row) for row in json.loads(files[MISSING])["missing"])
    return _text(machine_names(filter(_is_named, products), missing))


def machine_names(products: Iterable[Product], missing: Iterable[Missing]) -> dict[str, Json]:
    """Return the table: names by tag, the ambiguous ones, and those of products without a tag."""
    by_model: dict[str, list[str]] = {}
    listed = list(products)
    for product in listed:
        by_model.setdefault(product.model, []).append(product.tag)
    ambiguous, absent = list(_ambiguous(by_model)), list(_absent([*missing]))
    names = _Names(row["name"] for row in (*ambiguous, *absent))
    for tag, name in (*_recorded(), *_pci_ids(by_model)):
        names.add(tag, name)
    names.close()
    for product in listed:
        for name in _product_names(product):
            names.add(product.tag, name)
    return {"names": names.rows(), "ambiguous": ambiguous, "absent": absent}


class _Names:
    """Names by tag, one spelling of each. Those of a closed round are not given to other tags."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(map(fold_machine_name, taken))
        self._spellings: dict[tuple[str, str], str] = {}

    def add(self, tag: str, name: str) -> None:
        folded = fold_machine_name(name)
        if folded not in self._taken and len(folded) >= SHORTEST:
            self._spellings.setdefault((tag, folded), name)

    def close(self) -> None:
        self._taken.update(folded for _, folded in self._spellings)

    def rows(self) -> list[Json]:
        names: dict[str, list[str]] = {}
        for (tag, _), name in self._spellings.items():
            names.setdefault(tag, []).append(name)
        ordered = sorted(names.items(), key=lambda row: natural_key(row[0]))
        return [{"tag": tag, "names": [*sorted(own)]} for tag, own in ordered]


def _recorded() -> Iterator[tuple[str, str]]:
    """Yield the names that drivers print, and those of devices, each with its tag."""
    for row in read_table(DRIVERS).rows:
        if "tag" in row:
            yield row["tag"], row["name"]
    for table in DEVICES:
        for row in read_table(table).rows:
            for name in (*row.get("names", ()), *row.get("technical", ())):
                yield row["tag"], name


def _ambiguous(by_model: Mapping[str, list[str]]) -> Iterator[dict[str, Json]]:
    """Yield the names and device ids that several products share."""
    for row in read_table(AMBIGUOUS).rows:
        yield {"name": row["name"], "tags": row["tags"], "reason": row["reason"]}
    for row in read_table(DRIVERS).rows:
        if row.get("generic"):
            for name in _with_and_without_vendor(row["name"]):
                yield {"name": name, "tags": [], "reason": SHARED_NAME}
    for name, tags in _amd_ids(by_model).items():
        yield {"name": name, "tags": tags, "reason": SHARED_IDS}


def _with_and_without_vendor(name: str) -> Iterator[str]:
    yield name
    vendor, _, rest = name.partition(" ")
    if vendor in {"AMD", "NVIDIA"}:
        yield rest


def _amd_ids(by_model: Mapping[str, list[str]]) -> dict[str, list[Json]]:
    tags: dict[str, list[Json]] = {}
    for table, vendor in PCI.items():
        for row in read_table(table).rows if vendor == AMD else ():
            for device in row["pci"]:
                tags.setdefault(f"{vendor}:{device}", []).extend(by_model.get(row["name"], ()))
    return tags


def _pci_ids(by_model: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Yield the device ids of products; of AMD's they say too little."""
    for table, vendor in PCI.items():
        for row in read_table(table).rows if vendor != AMD else ():
            for tag in by_model.get(row["name"], ()):
                for device in row.get("pci", ()):
                    yield tag, f"{vendor}:{device}"


def _absent(missing: list[Missing]) -> Iterator[dict[str, Json]]:
    """Yield the names of products without a tag, with the reason that the catalogue states."""
    for row in read_table(ABSENT).rows:
        (stated,) = [item for item in missing if row["called"] in item.product]
        for name in row["names"]:
            yield {"name": name, "product": row["called"], "reason": stated.reason}


def _product_names(product: Product) -> Iterator[str]:
    """Yield the model of a product with and without its vendor, and how people shorten it."""
    if PROCESSOR.search(product.model):
        words = product.model.split()
        starts = [place for place, word in enumerate(words) if word[0].isalpha()]
        yield from (" ".join(words[place:]) for place in starts if place < len(words) - 1)
        yield from filter(PART_NUMBER.fullmatch, product.model.replace("-", " ").split())
        return
    yield product.model
    if product.vendor and not product.model.lower().startswith(product.vendor):
        yield f"{product.vendor} {product.model}"
    if product.vendor in GPU_VENDORS:
        yield from (alias.partition("/")[2] for alias in product.aliases if ":" not in alias)


def _is_named(product: Product) -> bool:
    """Return whether a product has a name besides that of its tag, which search reads.

    A model of one word, as machines of clouds have, is that name.
    """
    is_gpu = product.vendor in GPU_VENDORS
    return ":" not in product.tag and (" " in product.model or (is_gpu and bool(product.model)))


def _model(body: Any) -> str:
    model: str = body.get("hardware", {}).get("model", "")
    return model


def _text(table: Mapping[str, list[Json]]) -> str:
    """Return the table as JSON with a row per line."""
    lists = (
        f"{json.dumps(key)}: [\n" + ",\n".join(map(_row, rows)) + "\n]"
        for key, rows in table.items()
    )
    return "{" + ",\n".join(lists) + "}\n"


def _row(row: Json) -> str:
    return json.dumps(row, ensure_ascii=False)
