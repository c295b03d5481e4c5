"""Desktop processors, from the product listings of BuildCores OpenDB.

Listings of one product are folded: boxed and OEM, with spaces and dashes. What they state
differently is left out.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.reader import form_of, table_reader

REPO = "buildcores/buildcores-open-db"
LISTINGS = "open-db/CPU/*.json"
TAKEN = re.compile(r"AMD Ryzen (\d|Threadripper)|Intel Core i[3579]-|Intel Core Ultra")
TOO_OLD = {"Ivy Bridge", "Sandy Bridge"}
TWO_PRODUCTS = {"AMD Ryzen 5 1600"}  # of one name: Zen, and Zen+
CLOCK = re.compile(r"\s+\d+(\.\d+)? GHz.*$")  # in names
SPELLINGS = (
    (re.compile(r"\s*\(?OEM ?/ ?Tray\)?"), ""),
    (re.compile(r"Core i7 Extreme 6950X"), "Core i7 6950X"),
    (re.compile(r"i9-7960X X"), "i9-7960X"),
    (re.compile(r"\b(i[3579])[- ](\d)"), r"\1-\2"),
)
WITH_AVX512 = re.compile(r"-X|-W|-SP|Skylake X")  # families of cores; the listings say Skylake


@dataclass(frozen=True, slots=True)
class Listing:
    """A listing of a product, as its seller names it, with its facts by field of the table."""

    title: str
    facts: Mapping[str, Any]


@table_reader("opendb/desktop_cpus", REPO, "open-db/CPU")
def read(clone: Clone, _table: Table) -> Iterator[Row]:
    """Yield a row for each product since Zen and Haswell."""
    products: dict[str, list[Listing]] = defaultdict(list)
    listings: dict[str, Listing] = {}
    for path in clone.files(LISTINGS):
        listing = _listing(path, clone.text(path))
        listings.setdefault(listing.title, listing)
    for _, listing in sorted(listings.items()):
        name = _product(listing.title)
        if TAKEN.match(name) and listing.facts["uarch"] not in TOO_OLD:
            products[name].append(listing)
    require(products, LISTINGS, "Ryzen or Core processors")
    names = sorted(products.keys() - TWO_PRODUCTS)
    return (_row(name, products[name]) for name in names)


def _listing(path: str, text: str) -> Listing:
    with form_of(path, "is no listing of a processor"):
        content = json.loads(text)
        cores, cache = content.get("cores") or {}, content.get("cache") or {}
        clocks = (content.get("clocks") or {}).get("performance") or {}
        facts = {
            "uarch": _microarchitecture(content),
            "cores": cores.get("total"),
            "threads": cores.get("threads"),
            "p": cores.get("performance"),
            "e": cores.get("efficiency"),
            "base_ghz": clocks.get("base"),
            "boost_ghz": clocks.get("boost"),
            "l2_mb": cache.get("l2"),
            "l3_mb": cache.get("l3"),
            "tdp_w": (content.get("specifications") or {}).get("tdp"),
        }
        return Listing(CLOCK.sub("", content["metadata"]["name"]), facts)


def _microarchitecture(content: Mapping[str, Any]) -> str:
    name = re.sub(r"[ -](E|EN|EP)$", "", (content.get("microarchitecture") or "").strip())
    if name == "Skylake" and WITH_AVX512.search(content.get("coreFamily") or ""):
        return "Skylake-X"
    return "Zen 4" if name.startswith("2x Zen 4") else name


def _product(title: str) -> str:
    for pattern, text in SPELLINGS:
        title = pattern.sub(text, title)
    return title.strip()


def _row(name: str, listings: list[Listing]) -> Row:
    first = listings[0].facts
    uarch = min(listing.facts["uarch"] for listing in listings)
    row: Row = {"name": name, "uarch": uarch, "cores": first["cores"], "threads": first["threads"]}
    hybrid = [listing.facts for listing in listings if listing.facts["e"]]
    if hybrid and name.startswith("Intel"):
        row |= {"p": hybrid[0]["p"], "e": hybrid[0]["e"]}
    boxed = [listing for listing in listings if "OEM" not in listing.title]
    amd = listings if name.startswith("AMD") else []  # Intel's level-2 caches are not sound
    for field, sound in (
        ("base_ghz", listings),
        ("boost_ghz", boxed),
        ("l2_mb", amd),
        ("l3_mb", listings),
        ("tdp_w", listings),
    ):
        values = _values(field, sound)
        if len(values) == 1:
            row[field] = values.pop()
    return row


def _values(field: str, listings: Iterable[Listing]) -> set[Any]:
    return {listing.facts[field] for listing in listings if listing.facts[field]}
