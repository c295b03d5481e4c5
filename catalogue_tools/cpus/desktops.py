"""Processors of desktops: Ryzen, Threadripper, Core; and of laptops: Core Ultra, N series."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from catalogue_tools.cpus.products import Product, product_tag, with_facts
from catalogue_tools.cpus.x86_families import families_by_code
from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

DESKTOP, LISTED = "opendb/desktop_cpus", "intel-processors/products"
CATEGORY = "desktop-cpu"
LAPTOP = "laptop-cpu"  # what the second table has and the first does not: H, V and N series
MOBILE = {"Arrow Lake": "H"}  # families whose products with this suffix have other cores
COMPARED = ("cores", "threads")


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    products = {product.tag: product for product in desktop_products()}
    yield from map(product_tag, products.values())
    for tag, row in _listed_rows().items():
        is_listed_only = tag not in products
        yield from [_listed(tag, row)] if is_listed_only else _disagreements(products[tag], row)


def desktop_products() -> Iterator[Product]:
    """Yield the products of the first table, with the year of the second if that has them."""
    listed = _listed_rows()
    for product in map(_desktop, read_table(DESKTOP).rows):
        row = listed.get(product.tag)
        yield _with_launch(product, row) if row else product


def _with_launch(product: Product, row: Row) -> Product:
    launch = Statement({"launched": row["launched"]}, [_listed_url(row)])
    return replace(product, statements=(*product.statements, launch))


def _listed_rows() -> dict[str, Row]:
    return {_tag(row): row for row in read_table(LISTED).rows}


def _listed(tag: str, row: Row) -> GeneratedTag | Missing:
    family = families_by_code().get(_code(row))
    if family is None:
        reason = f"no source states LLVM's name for {row['family']}"
        return Missing(f"Intel {_short(row['name'])}", reason)
    model = f"Intel {row['name'].removeprefix('Intel ')}"
    product = Product(tag, model, family, LAPTOP, (_listed_url(row),))
    return product_tag(with_facts(product, row))


def _disagreements(product: Product, row: Row) -> Iterator[Disagreement]:
    other = product.statements[0].facts
    for fact in COMPARED:
        if row[fact] != other[fact]:
            values = {_listed_url(row): row[fact], url_of(DESKTOP): other[fact]}
            yield Disagreement(product.tag, fact, values, f"{other[fact]}, as the second states")


def _listed_url(row: Row) -> str:
    return url_of(LISTED, row["source"])


def _desktop(row: Row) -> Product:
    tag = _tag(row)
    namespace, _, name = tag.partition("/")
    short = name.removeprefix("ryzen-")
    aliases = (f"{namespace}/{short}",) if short.startswith("threadripper-") else ()
    family = families_by_code()[row["uarch"]]
    pages = (url_of(DESKTOP),)
    return with_facts(Product(tag, row["name"], family, CATEGORY, pages, aliases=aliases), row)


def _tag(row: Row) -> str:
    vendor = "amd" if row["name"].startswith("AMD ") else "intel"
    return f"{vendor}/{slug(_short(row['name']))}"


def _short(name: str) -> str:
    """Return a product's name without its maker: `N100` for "Intel Processor N100"."""
    return name.removeprefix("AMD ").removeprefix("Intel ").removeprefix("Processor ")


def _code(row: Row) -> str:
    """Return the name of the family that a listed product belongs to."""
    suffix = MOBILE.get(row["family"], "")
    is_mobile = bool(suffix) and str(row["name"]).endswith(suffix)
    return f"{row['family']}-{suffix}" if is_mobile else str(row["family"])
