"""The table of names by which drivers, tools and people call machines.

Names that tables record come first. Products are also called by their model and, where no other
product can be meant, by a part of it: `7840hs`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalogue_tools.facts import read_table
from catalogue_tools.generate import MISSING, GenerationError, entries_in
from catalogue_tools.tags import Missing
from registry.domain.names.machine_names import are_parts, fold_machine_name
from registry.services.core import shipped_facts
from ttag_rules.pointer import natural_key

MACHINE_NAMES = "machine_names.json"
Table = dict[str, list[dict[str, Any]]]  # rows by list
DRIVERS, ABSENT = "device-names/gpus", "device-names/absent"
AMBIGUOUS = ("names/ambiguous", "names/platforms")
BY_HAND, DEVICES = "device-names/machines", ("names/devices", "lineageos/names")
PCI = {"pci-ids/nvidia_gpus": "10de", "intel-compute-runtime/gpus": "8086"}  # with their vendor
AMD_PCI, AMD = ("amd-device-info/gpus", "pci-ids/amd_gpus"), "1002"
SHARED_IDS = "AMD's products share device ids; revisions tell them apart"
SHARED_NAME = "drivers print this name for several products"

VENDORS = {"boards": "", "example": "", "generic": "", "qcom": "qualcomm"}  # else the namespace
GPU_VENDORS = frozenset({"amd", "arm", "intel", "nvidia"})
PROCESSOR = re.compile(r"\b(?:Core|Xeon|Ryzen|EPYC|Athlon|Celeron|Pentium)\b")
REUSED_NUMBERS = re.compile(r"\bE[357]-")  # of Xeons: `2650L` is one of four generations
# Both makers have sold four digits with E, F, K, T, U or X: `5500u`, `6800k`, `7900x`, `9700f`.
PART_NUMBER = re.compile(
    r"[0-9]{5}[a-z]{1,2}|[0-9]{4}(?![efktux]$)[a-z]{1,2}(?:3d)?", re.IGNORECASE
)
CARD_BRAND = re.compile(r"^(?:GeForce|Radeon) (?=[GR]TX? |RX )")  # people leave it out
MAC = re.compile(r"(?P<name>[^(]+ )\((?:(?P<size>[^,]+-inch), )?(?P<chip>M[0-9][^,]*), [^)]*\)")
SHORTEST = 2  # letters and digits; one of them names nothing
MAX_LISTED = 8  # products that a name of a driver may mean


@dataclass(frozen=True, slots=True)
class Product:
    """A tag of one product with its aliases and its model."""

    tag: str
    aliases: tuple[str, ...]
    model: str

    @property
    def vendor(self) -> str:
        """Return the maker's name, empty if the namespace names none."""
        namespace = self.tag.partition("/")[0]
        return VENDORS.get(namespace, namespace.replace("-", " "))


def names_text(files: Mapping[str, str]) -> str:
    """Return the text of the table for the hand-written tags and generated files, by path."""
    generated = {tag["tag"]: tag for tag in entries_in(files)}
    written = (
        Product(tag.name, tag.aliases, _model(tag.versions[-1].body))
        for tag in shipped_facts.written_tags()
        if tag.name not in generated and not tag.is_family
    )
    by_facts = (
        Product(name, tuple(tag.get("aliases", ())), _model(tag["versions"][-1]["target"]))
        for name, tag in generated.items()
        if not tag.get("family")
    )
    missing = (Missing(**row) for row in json.loads(files[MISSING])["missing"])
    return _text(machine_names(filter(_is_named, (*written, *by_facts)), [*missing]))


def machine_names(products: Iterable[Product], missing: Sequence[Missing]) -> Table:
    """Return the table: names by tag, the ambiguous ones, and those of products without a tag."""
    listed = list(products)
    ambiguous, absent = list(_ambiguous(listed)), list(_absent(missing))
    names = _Names(row["name"] for row in (*ambiguous, *absent))
    for tag, name in (*_recorded(), *_pci_ids(listed)):
        names.add(tag, name)
    recorded, models = names.meanings(), {product.model for product in listed}
    for product in listed:
        for name in _product_names(product, models):
            if are_parts(recorded.get(fold_machine_name(name), ()), product.tag):
                names.add(product.tag, name)
    return {"names": names.rows(), "ambiguous": ambiguous, "absent": absent}


class _Names:
    """Names by tag, one spelling of each, less those that stand for no tag."""

    def __init__(self, excluded: Iterable[str]) -> None:
        self._excluded = frozenset(map(fold_machine_name, excluded))
        self._spellings: dict[tuple[str, str], str] = {}

    def add(self, tag: str, name: str) -> None:
        folded = fold_machine_name(name)
        if folded not in self._excluded and len(folded) >= SHORTEST:
            self._spellings.setdefault((tag, folded), name)

    def meanings(self) -> dict[str, list[str]]:
        tags: dict[str, list[str]] = {}
        for tag, folded in self._spellings:
            tags.setdefault(folded, []).append(tag)
        return tags

    def rows(self) -> list[dict[str, Any]]:
        names: dict[str, list[str]] = {}
        for (tag, _), name in self._spellings.items():
            names.setdefault(tag, []).append(name)
        ordered = sorted(names.items(), key=lambda row: natural_key(row[0]))
        return [{"tag": tag, "names": [*sorted(own)]} for tag, own in ordered]


def _recorded() -> Iterator[tuple[str, str]]:
    """Yield the names that tables record, each with its tag. Those written by hand win."""
    by_hand = set()
    for row in read_table(BY_HAND).rows:
        for name in row["names"]:
            by_hand.add(fold_machine_name(name))
            yield row["tag"], name
    for tag, name in (*_printed(), *_of_devices()):
        if fold_machine_name(name) not in by_hand:
            yield tag, name


def _printed() -> Iterator[tuple[str, str]]:
    for row in read_table(DRIVERS).rows:
        if "tag" in row:
            yield row["tag"], row["name"]


def _of_devices() -> Iterator[tuple[str, str]]:
    for table in DEVICES:
        for row in read_table(table).rows:
            for name in (*row.get("names", ()), *row.get("technical", ())):
                yield row["tag"], name


def _ambiguous(products: Iterable[Product]) -> Iterator[dict[str, Any]]:
    """Yield the names and device ids that several products share."""
    for table in AMBIGUOUS:
        for row in read_table(table).rows:
            for name in (row["name"], *row.get("also", ())):
                yield {"name": name, "tags": row["tags"], "reason": row["reason"]}
    by_name = {
        fold_machine_name(f"{product.vendor} {product.model}"): product.tag for product in products
    }
    for row in read_table(DRIVERS).rows:
        if row.get("generic"):
            start = fold_machine_name(row["name"])
            tags = sorted(tag for name, tag in by_name.items() if name.startswith(start))
            yield {"name": row["name"], "tags": tags[:MAX_LISTED], "reason": SHARED_NAME}
    for table in AMD_PCI:
        for row in read_table(table).rows:
            for device in row["pci"]:
                yield {"name": f"{AMD}:{device}", "tags": [], "reason": SHARED_IDS}


def _pci_ids(products: Iterable[Product]) -> Iterator[tuple[str, str]]:
    """Yield the device ids of NVIDIA's and Intel's products."""
    by_model: dict[str, list[str]] = {}
    for product in products:
        by_model.setdefault(product.model, []).append(product.tag)
    for table, vendor in PCI.items():
        for row in read_table(table).rows:
            for tag in by_model.get(row["name"], ()):
                for device in row.get("pci", ()):
                    yield tag, f"{vendor}:{device}"


def _absent(missing: Sequence[Missing]) -> Iterator[dict[str, Any]]:
    """Yield the names of products without a tag, with the reason that the catalogue states.

    Raises `GenerationError` for those of which it states none, or several.
    """
    for row in read_table(ABSENT).rows:
        reason = _reason(row["called"], missing)
        for name in row["names"]:
            yield {"name": name, "product": row["called"], "reason": reason}


def _reason(called: str, missing: Iterable[Missing]) -> str:
    """Return why the product is missing of which this is the name, or else a part of the name."""
    reasons = {item.product: item.reason for item in missing if called in item.product}
    if called not in reasons and len(reasons) != 1:
        raise GenerationError([f"{ABSENT} names {called}, which {len(reasons)} products are."])
    return reasons.get(called) or reasons.popitem()[1]


def _product_names(product: Product, models: Container[str]) -> Iterator[str]:
    """Yield the model of a product with and without its vendor, and how people shorten it."""
    model = product.model
    if PROCESSOR.search(model):
        yield from _processor_names(model, models)
        return
    yield model
    if not fold_machine_name(model).startswith(fold_machine_name(product.vendor)):
        yield f"{product.vendor} {model}"
    elif product.vendor == "apple":
        yield model.partition(" ")[2]
    if match := MAC.fullmatch(model):
        name, size, chip = match["name"], match["size"], match["chip"]
        yield f"{name}{chip}"
        if size:
            yield f"{name}{size} {chip}"
            yield f"{name}{chip} {size}"
    if CARD_BRAND.search(model):
        yield CARD_BRAND.sub("", model)
    if product.vendor in GPU_VENDORS:
        yield from (alias.partition("/")[2] for alias in product.aliases if ":" not in alias)


def _processor_names(model: str, models: Container[str]) -> Iterator[str]:
    """Yield `Core i7-12700H`, `i7-12700H` and `12700H` of `Intel Core i7-12700H`.

    `PRO` can be left out where no other product is called so.
    """
    plain = model.replace(" PRO ", " ")
    for text in dict.fromkeys((model, plain)):
        if text != model and text in models:
            return
        words = text.split()
        for place, word in enumerate(words):
            is_number_alone = place == len(words) - 1 and "-" not in word
            if word[0].isalpha() and not is_number_alone:
                yield " ".join(words[place:])
    if not REUSED_NUMBERS.search(model):
        yield from filter(PART_NUMBER.fullmatch, model.replace("-", " ").split())


def _is_named(product: Product) -> bool:
    """Return whether a product has a name besides that of its tag, which search reads.

    A model of one word, as machines of clouds have, is that name.
    """
    is_gpu = product.vendor in GPU_VENDORS
    return ":" not in product.tag and (" " in product.model or (is_gpu and bool(product.model)))


def _model(body: Any) -> str:
    model: str = body.get("hardware", {}).get("model", "")
    return model


def _text(table: Table) -> str:
    """Return the table as JSON with a row per line."""
    lists = (
        f"{json.dumps(key)}: [\n" + ",\n".join(map(_row, rows)) + "\n]"
        for key, rows in table.items()
    )
    return "{" + ",\n".join(lists) + "}\n"


def _row(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)
