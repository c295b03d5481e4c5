"""Server processors: EPYC, Xeon, Altra Max."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from catalogue_tools.cpus.arm_servers import FILE as ARM_FILE
from catalogue_tools.cpus.products import Product, inheriting_tag, product_tag, with_facts
from catalogue_tools.cpus.x86_families import families_by_code
from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag

TABLE, CATEGORY = "quattor/server_cpus", "server-cpu"
CLOCK = re.compile(r"\s+(?:CPU\s+)?@.*")
EPYC = re.compile(r"(AMD EPYC \w+) \d+-Core Processor")
REVISION, SPACED = re.compile(r"(e5_\w+?)(v\d)$"), r"\1_\2"


def tags() -> Iterator[GeneratedTag]:
    yield from map(product_tag, server_products())
    yield from (_altra(row) for row in read_table(TABLE).rows if _is_altra(row))


def server_products() -> Iterator[Product]:
    """Yield the products of x86."""
    return (_product(row) for row in read_table(TABLE).rows if not _is_altra(row))


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


def _product(row: Row) -> Product:
    model = model_of(row["model"])
    tag = tag_of(row["id"], model)
    family = families_by_code()[row["code"]]
    return with_facts(Product(tag, model, family, CATEGORY, (_source(row),)), row)


def _is_altra(row: Row) -> bool:
    return str(row["id"]).startswith("ampere/")


def _altra(row: Row) -> GeneratedTag:
    model = f"Altra Max {row['id'].rpartition('_')[2].upper()}"
    launch = Statement({"launched": None}, ())  # that of the first Altra
    tag = f"ampere/{slug(model)}"
    pages = (_source(row),)
    product = with_facts(Product(tag, model, "ampere/altra", CATEGORY, pages), row)
    product = replace(product, statements=(*product.statements, launch))
    return inheriting_tag(product, ARM_FILE)


def _source(row: Row) -> str:
    return url_of(TABLE, path=f"hardware/cpu/{row['id']}.pan")
