"""Says which products of a search the catalogue is known not to have, and why."""

from __future__ import annotations

from functools import lru_cache

from registry.domain.names.machine_names import (
    PCI_ID,
    Absent,
    Ambiguous,
    NamedTags,
    Unknown,
    tags_named_like,
)
from registry.domain.search.missing_products import MissingProduct, MissingProducts
from registry.domain.search.search_terms import has_digit, split_words
from registry.services.core import shipped_facts
from registry.services.search.series import SeriesMembers, find_members

KNOWN_MISSING = "Known to have no tag"
AMBIGUOUS = "Names of several products"
PCI_DEVICES = "PCI devices"
UNKNOWN_ID = "no list of names has this id"


@lru_cache(maxsize=1)
def missing_products() -> MissingProducts:
    """Return the products of the catalogue's `missing.json`."""
    return MissingProducts.of(shipped_facts.missing())


@lru_cache(maxsize=1)
def product_words() -> frozenset[str]:
    """Return the words without digits by which missing products are called."""
    return missing_products().words


def missing_from(
    text: str, members: SeriesMembers | None, unknown: str, *, is_found: bool
) -> tuple[MissingProduct, ...]:
    """Return the products that a search names and the catalogue is known not to have.

    If tags were found, only what is called just so; otherwise what all words call, or else the
    product of a series whose `members` lack the `unknown` word. No query.
    """
    named = missing_products().named(text, exactly=is_found)
    if named or is_found or members is None:
        return named
    return (_series_without(members, unknown),)


# Decision 143: what is known not to exist here is an answer, too.
def known_reasons(name: str) -> tuple[str, ...]:
    """Return sentences that say why there is no tag of a name. At most one query."""
    meaning = tags_named_like(name, shipped_facts.machine_names())
    if product := known_missing(name, meaning):
        return (_sentence(product),)
    products = missing_products().named(name) or _missing_from_series(name)
    return tuple(map(_sentence, products))


def known_missing(text: str, meaning: NamedTags) -> MissingProduct | None:
    """Return the product that a name is known to stand for without a tag, if it is.

    A name of several products of which none is known stands for no tag, as does an id of PCI that
    is in no list.
    """
    match meaning:
        case Absent(product, reason):
            groups = {row["product"]: row["group"] for row in shipped_facts.missing()}
            return MissingProduct(product, groups.get(product, KNOWN_MISSING), reason)
        case Ambiguous((), reason):
            return MissingProduct(" ".join(text.split()), AMBIGUOUS, reason)
        case Unknown() if PCI_ID.fullmatch(text.casefold().strip(" []")):
            return MissingProduct(text, PCI_DEVICES, UNKNOWN_ID)
    return None


def _sentence(product: MissingProduct) -> str:
    return f"Not in the catalogue: {product.product}: {product.reason}."


def _missing_from_series(name: str) -> tuple[MissingProduct, ...]:
    """Return the product that the last number of a tag's name would be, if its series is known."""
    text = name.replace("/", " ").replace("-", " ")
    word = next((word for word in reversed(split_words(text)) if has_digit(word)), "")
    members = find_members(text, word)
    return (_series_without(members, word),) if members else ()


def _series_without(members: SeriesMembers, word: str) -> MissingProduct:
    """Return the product of a series that a word with digits would name.

    What follows is known of the catalogue only: which of its names begin so.
    """
    series, count = members.series, len(members.machines)
    number = f"{count} or more" if members.is_capped else str(count)
    begin = f"begin with “{series.title}” and {series.rest}"
    reason = f"{number} machines have names that {begin}, none is “{series.name}”"
    return MissingProduct(series.name, series.title, reason)
