"""Processors of laptops, desktops and servers that only lists of products have."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.cpus import product_lists
from catalogue_tools.cpus.products import Product, product_tag
from catalogue_tools.facts import Row, read_table
from catalogue_tools.tags import Disagreement, GeneratedTag


def tags() -> Iterator[GeneratedTag | Disagreement]:
    """Yield a tag for each product, then what the lists state differently of any product."""
    for row in read_table(product_lists.TABLE).rows:
        if "family" in row:
            yield product_tag(_product(row))
    yield from product_lists.disagreements()


def _product(row: Row) -> Product:
    pages, core = product_lists.pages(row), row.get("core", "")
    return Product(row["tag"], row["name"], row["family"], row["category"], pages, core=core)
