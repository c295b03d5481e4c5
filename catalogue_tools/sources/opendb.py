"""Desktop processors, from the product listings of BuildCores OpenDB.

Listings of one product are folded: boxed and OEM, with spaces and dashes. What they state
differently is left out.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
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
MEMBERS = {  # of a listing, by field of the table
    "cores": ("cores", "total"),
    "threads": ("cores", "threads"),
    "p": ("cores", "performance"),
    "e": ("cores", "efficiency"),
    "base_ghz": ("clocks", "performance", "base"),
    "boost_ghz": ("clocks", "performance", "boost"),
    "l2_mb": ("cache", "l2"),
    "l3_mb": ("cache", "l3"),
    "tdp_w": ("specifications", "tdp"),
}


@table_reader("opendb/desktop_cpus", REPO, "open-db/CPU")
def read(clone: Clone, _table: Table) -> Iterator[Row]:
    """Yield a row for each product since Zen and Haswell."""
    listings: dict[str, Row] = {}
    for path in clone.files(LISTINGS):
        title, facts = _listing(path, clone.text(path))
        listings.setdefault(title, facts)
    products: dict[str, dict[str, Row]] = defaultdict(dict)
    for title, facts in sorted(listings.items()):
        name = _product(title)
        if TAKEN.match(name) and facts["uarch"] not in TOO_OLD:
            products[name][title] = facts
    require(products, LISTINGS, "Ryzen or Core processors")
    names = sorted(products.keys() - TWO_PRODUCTS)
    return (_row(name, products[name]) for name in names)


def _listing(path: str, text: str) -> tuple[str, Row]:
    """Return what a seller calls a product, and its facts by field of the table."""
    with form_of(path, "is no listing of a processor"):
        content = json.loads(text)
        facts = {field: _member(content, *members) for field, members in MEMBERS.items()}
        title = CLOCK.sub("", content["metadata"]["name"])
        return title, {"uarch": _microarchitecture(content), **facts}


def _member(content: Any, *names: str) -> Any:
    for name in names:
        content = (content or {}).get(name)
    return content


def _microarchitecture(content: Mapping[str, Any]) -> str:
    name = re.sub(r"[ -](E|EN|EP)$", "", (content.get("microarchitecture") or "").strip())
    if name == "Skylake" and WITH_AVX512.search(content.get("coreFamily") or ""):
        return "Skylake-X"
    return "Zen 4" if name.startswith("2x Zen 4") else name


def _product(title: str) -> str:
    for pattern, text in SPELLINGS:
        title = pattern.sub(text, title)
    return title.strip()


def _row(name: str, listings: Mapping[str, Row]) -> Row:
    facts = [*listings.values()]
    boxed = [listing for title, listing in listings.items() if "OEM" not in title]
    row: Row = {"name": name, "uarch": min(listing["uarch"] for listing in facts)}
    row |= {field: facts[0][field] for field in ("cores", "threads")}
    hybrid = [listing for listing in facts if listing["e"]]
    if hybrid and name.startswith("Intel"):
        row |= {field: hybrid[0][field] for field in ("p", "e")}
    amd = facts if name.startswith("AMD") else []  # Intel's level-2 caches are not sound
    sound = {"base_ghz": facts, "boost_ghz": boxed, "l2_mb": amd, "l3_mb": facts, "tdp_w": facts}
    for field, sources in sound.items():
        values = {listing[field] for listing in sources if listing[field]}
        if len(values) == 1:
            row[field] = values.pop()
    return row
