"""Finds the words of the vocabulary that are spelt most like misspelt ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Count, QuerySet

from registry.domain.names.name_folding import edit_distance, trigrams
from registry.models import TermGram
from registry.models.combined_queries import rows_of_each

MIN_CORRECTED, MAX_CORRECTED = 4, 20  # characters of a word that a typo can match
MAX_COMPARED = 100  # words whose edit distance is computed
MAX_NEAR = 12  # words that one typo can match
LONG = 8  # characters of a word with up to two typos


def is_correctable(word: str) -> bool:
    """Return whether a typo can match a word."""
    return MIN_CORRECTED <= len(word) <= MAX_CORRECTED and not word.isdigit()


def word_grams(word: str) -> list[str]:
    """Return the trigrams of a word between spaces, so that its ends count too."""
    return sorted(trigrams(f" {word} "))


def near_words(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the words at the smallest edit distance from each text.

    The distance is at most one, or two if the text is long; texts without a match are left out.
    Words with the same first letter come first. At most one query.
    """
    correctable = [
        text
        for text in texts
        if MIN_CORRECTED <= len(text) <= MAX_CORRECTED + 1 and not text.isdigit()
    ]
    rows = rows_of_each([_sharing_most(text) for text in correctable])
    near = {
        text: _nearest(text, [term for term, _ in sorted(terms, key=lambda row: (-row[1], row[0]))])
        for text, terms in zip(correctable, rows, strict=True)
    }
    return {text: terms for text, terms in near.items() if terms}


def _sharing_most(text: str) -> QuerySet[TermGram, Any]:
    """Select the words that share most trigrams with a text, and how many they share."""
    allowed = _allowed(text)
    similar = TermGram.objects.filter(
        text__in=word_grams(text), length__range=(len(text) - allowed, len(text) + allowed)
    )
    shared = similar.values("term").annotate(shared=Count("pk")).order_by("-shared", "term")
    return shared.values_list("term", "shared")[:MAX_COMPARED]


def _allowed(text: str) -> int:
    """Return the number of typos that a text may have."""
    return 1 if len(text) < LONG else 2


def _nearest(text: str, terms: Sequence[str]) -> tuple[str, ...]:
    """Return those of some words that are nearest to a text, if they are near."""
    distances = {term: edit_distance(text, term) for term in terms}
    allowed = _allowed(text)
    nearest = min(distances.values(), default=allowed + 1)
    if nearest > allowed:
        return ()
    near = (term for term in terms if distances[term] == nearest)
    return tuple(sorted(near, key=lambda term: term[0] != text[0]))[:MAX_NEAR]
