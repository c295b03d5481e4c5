"""Processors of desktops and laptops: Ryzen, Threadripper, Core, N series."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from catalogue_tools.cpus.products import Product, product_tag
from catalogue_tools.cpus.x86_families import families_by_code
from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import Statement
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

CATEGORY = "desktop-cpu"
MOBILE = {"Arrow Lake": "H"}  # families whose products with this suffix have other cores
COMPARED = ("cores", "threads")


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield a tag for each processor.

    Those in both tables have the facts of the first, and the year of the second.
    """
    desktop = read_table("opendb/desktop_cpus")
    listed = read_table("intel-processors/products")
    rows = {_tag(row): row for row in desktop.rows}
    launches = {_tag(row): _launch(row, listed) for row in listed.rows}
    for tag, row in rows.items():
        launch = (launches[tag],) if tag in launches else ()
        yield product_tag(replace(_desktop(tag, row, desktop), more_statements=launch))
    for row in listed.rows:
        yield from _listed(row, listed, rows, desktop)


def _listed(
    row: Row, table: Table, rows: dict[str, Row], desktop: Table
) -> Iterator[GeneratedTag | Disagreement | Missing]:
    tag = _tag(row)
    if tag in rows:
        yield from _disagreements(tag, row, table, rows[tag], desktop)
    elif _code(row) not in families_by_code():
        reason = f"no source states LLVM's name for {row['family']}"
        yield Missing(f"Intel {_short(row['name'])}", reason)
    else:
        model = f"Intel {row['name'].removeprefix('Intel ')}"
        yield product_tag(Product(tag, model, _code(row), CATEGORY, row, table.url(row["source"])))


def _disagreements(
    tag: str, row: Row, table: Table, other: Row, desktop: Table
) -> Iterator[Disagreement]:
    for fact in COMPARED:
        if row[fact] != other[fact]:
            values = {table.url(row["source"]): row[fact], desktop.url(): other[fact]}
            yield Disagreement(tag, fact, values, f"{other[fact]}, as the second states")


def _launch(row: Row, table: Table) -> Statement:
    return Statement({"launched": row["launched"]}, [table.url(row["source"])])


def _desktop(tag: str, row: Row, table: Table) -> Product:
    namespace, _, name = tag.partition("/")
    aliases: tuple[str, ...] = ()
    if name.startswith("ryzen-threadripper-"):
        aliases = (f"{namespace}/{name.removeprefix('ryzen-')}",)
    return Product(tag, row["name"], row["uarch"], CATEGORY, row, table.url(), aliases)


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
