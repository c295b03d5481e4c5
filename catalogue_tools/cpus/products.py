"""Processors by product: what each adds to its microarchitecture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalogue_tools.cpus.x86_families import families_by_code
from catalogue_tools.facts import Row
from catalogue_tools.hardware import Statement, hardware, pages
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

GHZ, MHZ, MIB = 1_000_000_000, 1_000_000, 1 << 20
UNITS = {  # facts of tables: name in `hardware`, and unit
    "cores": ("cores", 1),
    "threads": ("threads", 1),
    "mhz": ("base_clock_hz", MHZ),
    "base_ghz": ("base_clock_hz", GHZ),
    "boost_ghz": ("boost_clock_hz", GHZ),
    "l2_mb": ("l2_cache_bytes", MIB),
    "l3_mb": ("l3_cache_bytes", MIB),
    "tdp_w": ("power_watts", 1),
}


@dataclass(frozen=True, slots=True)
class Product:
    """A product of a table: its tag and model, the code of its family, its facts and source.

    `more_statements` are facts that another table states, or that the family's do not hold for.
    """

    tag: str
    model: str
    code: str
    category: str
    row: Row
    source: str
    aliases: tuple[str, ...] = ()
    more_statements: tuple[Statement, ...] = ()


def product_tag(product: Product) -> GeneratedTag:
    """Return the tag of a product, which inherits from its microarchitecture."""
    family = families_by_code()[product.code]
    return GeneratedTag(
        product.tag,
        family["tag"],
        product_body(product, family["tag"]),
        f"{product.model}: {counted_cores(product.row)}, {family['title']}",
        tuple(dict.fromkeys((product.source, *pages(*product.more_statements)))),
        aliases=product.aliases,
    )


def product_body(product: Product, family: str) -> dict[str, Json]:
    """Return the body of a product of a family: number of cores, and facts with their sources."""
    facts: dict[str, Json] = {"category": product.category, "model": product.model}
    facts |= dict(_facts(product.row))
    return {
        "tag": f"{family}@1",
        "num-cores": product.row["cores"],
        "hardware": hardware(Statement(facts, [product.source]), *product.more_statements),
    }


def counted_cores(row: Row) -> str:
    """Return the number of cores in words, by size where they are of two."""
    if "e" in row:
        return f"{row['p']} performance and {row['e']} efficient cores"
    return f"{row['cores']} cores"


def _facts(row: Row) -> Iterator[tuple[str, Json]]:
    for name, (fact, unit) in UNITS.items():
        if name in row:
            yield fact, round(row[name] * unit)
    if "launched" in row:
        yield "launched", row["launched"]
