"""Finds the words of the vocabulary that are spelt most like a misspelt one."""

from __future__ import annotations

from django.db.models import Count

from registry.domain.name_folding import edit_distance
from registry.models import TermGram
from registry.services.search.term_index import MAX_MENDED, MIN_MENDED, word_grams

MAX_COMPARED = 100  # words whose edit distance is computed
MAX_NEAR = 12  # words that one typo can stand for
LONG = 8  # characters of a word with up to two typos


def near_words(text: str) -> tuple[str, ...]:
    """Return the words at the least edit distance from a text, at most one, or two if it is long.

    Those with the same first letter come first. One query.
    """
    if not MIN_MENDED <= len(text) <= MAX_MENDED + 1 or text.isdigit():
        return ()
    allowed = 1 if len(text) < LONG else 2
    similar = TermGram.objects.filter(
        text__in=word_grams(text), length__range=(len(text) - allowed, len(text) + allowed)
    )
    shared = similar.values("term").annotate(shared=Count("pk")).order_by("-shared", "term")
    terms = [row["term"] for row in shared[:MAX_COMPARED]]
    distances = {term: edit_distance(text, term) for term in terms}
    nearest = min(distances.values(), default=allowed + 1)
    if nearest > allowed:
        return ()
    near = (term for term in terms if distances[term] == nearest)
    return tuple(sorted(near, key=lambda term: term[0] != text[0]))[:MAX_NEAR]
