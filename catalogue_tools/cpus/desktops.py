"""Processors of desktops and laptops: Ryzen, Threadripper, Core, N series."""

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
MOBILE_SUFFIXES = ("H", "V")  # of Core Ultra
MOBILE = {"Arrow Lake": "H"}  # families whose products with this suffix have other cores
COMPARED = ("cores", "threads")


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield a tag for each processor.

    Those in both tables have the facts of the first, and the year of the second.
    """
    rows = {_tag(row): row for row in read_table(DESKTOP).rows}
    listed = {_tag(row): row for row in read_table(LISTED).rows}
    for tag, row in rows.items():
        product = _desktop(tag, row)
        if tag in listed:
            launch = Statement({"launched": listed[tag]["launched"]}, [_listed_url(listed[tag])])
            product = replace(product, statements=(*product.statements, launch))
        yield product_tag(product)
    for tag, row in listed.items():
        yield from _disagreements(tag, row, rows[tag]) if tag in rows else [_listed(tag, row)]


def _listed(tag: str, row: Row) -> GeneratedTag | Missing:
    family = families_by_code().get(_code(row))
    if family is None:
        reason = f"no source states LLVM's name for {row['family']}"
        return Missing(f"Intel {_short(row['name'])}", reason)
    model = f"Intel {row['name'].removeprefix('Intel ')}"
    category = "laptop-cpu" if model.endswith(MOBILE_SUFFIXES) else CATEGORY
    product = Product(tag, model, family, category, (_listed_url(row),))
    return product_tag(with_facts(product, row))


def _disagreements(tag: str, row: Row, other: Row) -> Iterator[Disagreement]:
    for fact in COMPARED:
        if row[fact] != other[fact]:
            values = {_listed_url(row): row[fact], url_of(DESKTOP): other[fact]}
            yield Disagreement(tag, fact, values, f"{other[fact]}, as the second states")


def _listed_url(row: Row) -> str:
    return url_of(LISTED, row["source"])


def _desktop(tag: str, row: Row) -> Product:
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
