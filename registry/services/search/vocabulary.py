"""The terms that tags have, with the number of tags of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from registry.domain.search.search_terms import LAST
from registry.domain.search.word_lists import BRANDS
from registry.models import Term
from registry.models.combined_queries import rows_of_each
from registry.services.search import absent_products
from registry.services.search.query_terms import MAX_COMPLETIONS, Counts, continues


def is_brand(text: str) -> bool:
    """Return whether a word is one of products, which is never left out nor mended."""
    return text in BRANDS or text in absent_products.product_words()


def count_tags(texts: Collection[str]) -> Counts:
    """Return how many tags have each of these terms, without unknown ones. At most one query."""
    if not texts:
        return {}
    return dict(Term.objects.filter(text__in=texts, tags__gt=0).values_list("text", "tags"))


def completions(texts: Iterable[str]) -> dict[str, Counts]:
    """Return the most common longer terms that each text begins as a whole. At most one query."""
    return {
        prefix: {term: count for term, count in counts.items() if continues(prefix, term)}
        for prefix, counts in common_completions(texts).items()
    }


def common_completions(texts: Iterable[str]) -> dict[str, Counts]:
    """Return the most common longer terms that start with each text. At most one query."""
    prefixes = list(dict.fromkeys(texts))
    rows = rows_of_each(
        [
            Term.objects.filter(text__gt=prefix, text__lt=prefix + LAST, tags__gt=0)
            .order_by("-tags", "text")
            .values_list("text", "tags")[:MAX_COMPLETIONS]
            for prefix in prefixes
        ]
    )
    return {
        prefix: dict(sorted(counts, key=lambda row: (-row[1], row[0])))
        for prefix, counts in zip(prefixes, rows, strict=True)
    }


def among(known: Counts, texts: Iterable[str]) -> Counts:
    return {text: known[text] for text in texts if text in known}
