"""Server processors: EPYC, Xeon, Altra Max."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.cpus.arm_servers import FILE as ARM_FILE
from catalogue_tools.cpus.products import Product, counted_cores, product_body, product_tag
from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import Statement
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag

CLOCK = re.compile(r"\s+(?:CPU\s+)?@.*")
EPYC = re.compile(r"(AMD EPYC \w+) \d+-Core Processor")
REVISION, SPACED = re.compile(r"(e5_\w+?)(v\d)$"), r"\1_\2"


def tags() -> Iterator[GeneratedTag]:
    """Yield a tag for each server processor."""
    table = read_table("quattor/server_cpus")
    for row in table.rows:
        namespace, _, _ = row["id"].partition("/")
        yield _altra(row, table) if namespace == "ampere" else product_tag(_product(row, table))


def model_of(text: str) -> str:
    """Return a product's name from what the processor says of itself.

    "Intel Xeon Gold 6338" for "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz".
    """
    text = text.replace("(R)", "").replace("(tm)", "")
    if match := EPYC.fullmatch(text):
        return match[1]
    return re.sub(r"\bCPU ", "", CLOCK.sub("", text)).strip()


def tag_of(identifier: str, model: str) -> str:
    """Return the tag of a processor of the table, as `intel/xeon-e5-2680-v4`."""
    namespace, _, name = identifier.partition("/")
    if "Xeon Max" in model:
        return f"{namespace}/{slug(model.partition(' ')[2])}"
    return f"{namespace}/{slug(REVISION.sub(SPACED, name))}"


def _product(row: Row, table: Table) -> Product:
    model = model_of(row["model"])
    tag = tag_of(row["id"], model)
    return Product(tag, model, row["code"], "server-cpu", row, _source(row, table))


def _altra(row: Row, table: Table) -> GeneratedTag:
    code = row["id"].rpartition("_")[2]
    model = f"Altra Max {code.upper()}"
    product = Product(
        f"ampere/{slug(model)}",
        model,
        "",
        "server-cpu",
        row,
        _source(row, table),
        more_statements=(Statement({"launched": None}, ()),),  # that of the first Altra
    )
    return GeneratedTag(
        product.tag,
        ARM_FILE,
        product_body(product, "ampere/altra"),
        f"{model}: {counted_cores(row)}",
        (product.source,),
    )


def _source(row: Row, table: Table) -> str:
    return table.url(path=f"hardware/cpu/{row['id']}.pan")
