"""Products that the catalogue is known not to have, found by the words of a search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from registry.domain.search.search_terms import MAX_TERM, split_words
from registry.domain.search.word_lists import BESIDE_NAMES, STOP_WORDS
from registry.domain.search.word_runs import joined, positions_in

# Rows about facts of tags that exist.
ABOUT_FACTS = re.compile(r"^RAM of |: |as a CPU$")
MAX_PRODUCTS = 5  # of one search
MIN_NAME = 2  # characters; one is a part of many names
PLAIN = frozenset({"and", "other", "others", "older", "beyond", "except", "most", "some", "three"})


@dataclass(frozen=True, slots=True)
class MissingProduct:
    """A product without a tag, the part of the catalogue that it belongs to, and the reason."""

    product: str
    group: str
    reason: str


@dataclass(frozen=True, slots=True)
class MissingProducts:
    """Missing products with the words of their names, and runs of them as one."""

    terms: Mapping[MissingProduct, frozenset[str]]

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, str]]) -> Self:
        """Return the products of a table; its rows about facts of tags are left out."""
        products = [MissingProduct(**row) for row in rows]
        return cls(
            {
                product: frozenset(_terms(product.product))
                for product in products
                if not ABOUT_FACTS.search(product.product)
            }
        )

    @property
    def words(self) -> frozenset[str]:
        """Return the words without digits by which these products are called."""
        words = {word for product in self.terms for word in split_words(product.product)}
        plain = PLAIN | STOP_WORDS | BESIDE_NAMES
        return frozenset(word for word in words if word.isalpha() and word not in plain)

    def named(self, text: str, *, exactly: bool = False) -> tuple[MissingProduct, ...]:
        """Return the products that all words of a text call, the shortest names first.

        With `exactly`, only those that are called just so, with or without their maker.
        """
        words = [word for word in split_words(text) if word not in STOP_WORDS | BESIDE_NAMES]
        if len("".join(dict.fromkeys(words))) < MIN_NAME:  # `9/9` is no name
            return ()
        named = [
            product
            for product, terms in self.terms.items()
            if len(positions_in(words, terms)) == len(words)
        ]
        if exactly:
            whole = "".join(words)
            named = [product for product in named if whole in _whole_names(product.product)]
        named.sort(key=lambda product: (len(product.product), product.product))
        by_name = {product.product: product for product in reversed(named)}  # one of each name
        return tuple(reversed(by_name.values()))[:MAX_PRODUCTS]


def _terms(name: str) -> Iterable[str]:
    """Return the words of a name, and runs of them as one."""
    return (run[:MAX_TERM] for run in joined(split_words(name)))


def _whole_names(product: str) -> frozenset[str]:
    """Return a name as one word, also without its first one, the maker."""
    words = split_words(product)
    return frozenset({"".join(words), "".join(words[1:])})
