"""Says which products of a search the catalogue is known not to have, and why."""

from __future__ import annotations

from functools import lru_cache

from django.db.models import Q

from registry.domain.names.machine_names import Absent, tags_named
from registry.domain.search.missing_products import (
    MissingProduct,
    MissingProducts,
    series_of,
)
from registry.models import Name, Status
from registry.services.core import shipped_facts

KNOWN_MISSING = "Known to have no tag"
MIN_MEMBERS = 2  # names of a series; a single one is no series
MAX_MEMBERS = 100  # that are counted


@lru_cache(maxsize=1)
def missing_products() -> MissingProducts:
    """Return the products of the catalogue's `missing.json`."""
    return MissingProducts.of(shipped_facts.missing())


@lru_cache(maxsize=1)
def product_words() -> frozenset[str]:
    """Return the words without digits by which missing products are called."""
    return missing_products().words


def missing_from(text: str, unknown: str, *, is_found: bool) -> tuple[MissingProduct, ...]:
    """Return the products that a search names and the catalogue is known not to have.

    If tags were found, only what is called just so; otherwise what all words call, or else the
    series in which the tags lack the `unknown` word. At most one query.
    """
    named = missing_products().named(text, exactly=is_found)
    return named if named or is_found or not unknown else _series_without(text, unknown)


# Decision 143: what is known not to exist here is an answer, too.
def known_reasons(name: str) -> tuple[str, ...]:
    """Return sentences that say why there is no tag of a name. No query."""
    meaning = tags_named(name.replace("/", " "), shipped_facts.machine_names())
    if isinstance(meaning, Absent):
        return (_sentence(known_missing(meaning)),)
    return tuple(map(_sentence, missing_products().named(name)))


def known_missing(meaning: Absent) -> MissingProduct:
    """Return the product that a name stands for, with its part of the catalogue."""
    groups = {row["product"]: row["group"] for row in shipped_facts.missing()}
    group = groups.get(meaning.product, KNOWN_MISSING)
    return MissingProduct(meaning.product, group, meaning.reason)


def _sentence(product: MissingProduct) -> str:
    return f"Not in the catalogue: {product.product}: {product.reason}."


def _series_without(text: str, word: str) -> tuple[MissingProduct, ...]:
    """Return the series that a word with digits would belong to, if tags are named after it.

    What follows is known of the catalogue only: which of its names begin so.
    """
    series = series_of(text, word)
    if series is None:
        return ()
    names = Name.objects.filter(
        ~Q(tag__entry__status=Status.DEPRECATED), folded__contains=series.folded
    ).exclude(text__contains=":")
    count = len(set(names.values_list("tag", flat=True)[:MAX_MEMBERS]))
    if count < MIN_MEMBERS:
        return ()
    number = f"{count} or more" if count == MAX_MEMBERS else str(count)
    reason = f"{number} tags are named {series.title}, and none of them {word}"
    return (MissingProduct(f"{series.maker} {word}", series.title, reason),)
