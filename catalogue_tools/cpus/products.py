"""Processors by product: what each adds to its microarchitecture."""

from __future__ import annotations

from dataclasses import dataclass

from catalogue_tools.cpus.x86_families import families_by_code
from catalogue_tools.facts import Row
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

FACTS = ("cores", "threads", "mhz", "base_ghz", "boost_ghz", "l2_mb", "l3_mb", "tdp_w", "launched")


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
    return inheriting_tag(product, family["tag"], family["tag"], f", {family['title']}")


def inheriting_tag(product: Product, family: str, file: str, more: str = "") -> GeneratedTag:
    """Return the tag of a product of a family: number of cores, and facts with their sources."""
    row = product.row
    facts: dict[str, Json] = {"category": product.category, "model": product.model}
    cores = f"{row['cores']} cores"
    if "e" in row:
        cores = f"{row['p']} performance and {row['e']} efficient cores"
    return described_tag(
        product.tag,
        file,
        {"tag": f"{family}@1", "num-cores": row["cores"]},
        f"{product.model}: {cores}{more}",
        Statement(facts | measured(row, *FACTS), [product.source]),
        *product.more_statements,
        aliases=product.aliases,
    )
