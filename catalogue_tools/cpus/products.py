"""Processors by product: what each adds to its microarchitecture."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import chain

from catalogue_tools.cpus import product_lists
from catalogue_tools.cpus.x86_families import ANY_CORE, family_title
from catalogue_tools.facts import Row
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

FACTS = (
    *("cores", "threads", "p", "e", "mhz", "base_ghz", "boost_ghz"),
    *("l2_mb", "l3_mb", "tdp_w", "launched"),
)
# Decision 141: a boost clock is the highest that the maker states for one core.
REASONS = {  # why a fact of an earlier version was wrong, where the lists differ
    "base_clock_hz": "Sources differ on the base clock",
    "boost_clock_hz": "Sources mean different clocks by boost; only the highest of one core counts",
    "l3_cache_bytes": "Sources differ on the cache; the chip itself reports this size",
}


@dataclass(frozen=True, slots=True)
class Product:
    """A product of a table: its tag and model, its family, and what states its facts.

    `statements` come first: the lists of products add what these lack. `pages` state that there is
    such a product. `core` is the microarchitecture of a product whose family does not name it.
    """

    tag: str
    model: str
    family: str
    category: str
    pages: tuple[str, ...]
    statements: tuple[Statement, ...] = ()
    aliases: tuple[str, ...] = ()
    core: str = ""


def with_facts(product: Product, row: Row) -> Product:
    """Return a product with the facts of a row, which its pages state."""
    return replace(product, statements=(Statement(measured(row, *FACTS), product.pages),))


def product_tag(product: Product) -> GeneratedTag:
    """Return the tag of a product, which inherits from its microarchitecture."""
    title = family_title(product.family)
    if product.core:
        title = title.replace(ANY_CORE, product.core)
    return inheriting_tag(product, product.family, f", {title}")


def inheriting_tag(product: Product, file: str, more: str = "") -> GeneratedTag:
    """Return the tag of a product of a family: number of cores, and facts with their sources."""
    statements = _agreed(product)
    facts = _facts(statements)
    identity = {"category": product.category, "model": product.model}
    identity |= {"family": product.core} if product.core else {}
    return described_tag(
        product.tag,
        file,
        {"tag": f"{product.family}@1", "num-cores": facts["cores"]},
        f"{product.model}: {_cores(facts)}{more}",
        Statement(identity, product.pages),
        *statements,
        aliases=product.aliases,
        correction=_correction(product, facts),
    )


def _agreed(product: Product) -> list[Statement]:
    """Return what states the facts of a product, each fact once, without what sources differ on."""
    differing = product_lists.differing(product.tag)
    own = [_without(item, differing) for item in product.statements]
    stated = _facts(own).keys()
    return [*own, *(_without(item, stated) for item in product_lists.statements(product.tag))]


def _without(statement: Statement, facts: Collection[str]) -> Statement:
    kept = {name: value for name, value in statement.facts.items() if name not in facts}
    return replace(statement, facts=kept)


def _facts(statements: Collection[Statement]) -> dict[str, Json]:
    return dict(chain.from_iterable(item.facts.items() for item in statements))


def _cores(facts: dict[str, Json]) -> str:
    if "efficiency_cores" in facts:
        kinds = f"{facts['performance_cores']} performance and {facts['efficiency_cores']}"
        return f"{kinds} efficient cores"
    return f"{facts['cores']} cores"


def _correction(product: Product, facts: dict[str, Json]) -> str:
    """Return why facts of the product's own table are not those that its tag has."""
    own = _facts(product.statements).items()
    wrong = {name for name, value in own if value is not None and facts.get(name) != value}
    return "; ".join(REASONS[name] for name in REASONS if name in wrong)
