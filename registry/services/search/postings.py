"""Reads the tags that have a word, from the index of terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from registry.models import Posting
from registry.models.combined_queries import rows_of_each
from registry.services.search.query_terms import Word

MAX_SMALL = 1_000  # tags of terms that are read together


def first_tags(word: Word, limit: int) -> Iterator[int]:
    """Return up to `limit` tags that have a word, first those of its own terms.

    Terms that many tags have are read one by one in the order of a database index, which has the
    tags that a term tells most about first. Of others, several are read together.
    """
    tags: dict[int, None] = {}
    for terms in _groups(word):
        if len(tags) >= limit:
            break
        tags |= dict.fromkeys(_first(terms, limit))
    return islice(tags, limit)


def sample_tags(words: Iterable[Word], limit: int) -> set[int]:
    """Return tags that have one of some words, of each up to `limit` and some more. One query.

    Of a word whose terms often stand together, fewer are returned.
    """
    queries = [_first(terms, limit) for word in words for terms in _sampled_groups(word, limit)]
    return {tag for rows in rows_of_each(queries) for (tag,) in rows}


def _sampled_groups(word: Word, limit: int) -> Iterator[list[str]]:
    """Yield the first groups of a word's terms, until at least `limit` tags have them."""
    counts = word.counts
    total = 0
    for terms in _groups(word):
        if total >= limit:
            return
        yield terms
        total += sum(counts[term] for term in terms)


def _first(terms: Sequence[str], limit: int) -> QuerySet[Posting, Any]:
    """Select the tags of some terms, first those that the terms tell most about."""
    rows = Posting.objects.filter(term__in=terms).order_by("weight", "tag")
    return rows.values_list("tag", flat=True)[:limit]


def _groups(word: Word) -> Iterator[list[str]]:
    """Yield the terms of a word, together while they are those of few tags."""
    for counts in ({**word.joined, **word.terms}, word.completed):
        group: list[str] = []
        total = 0
        for term, count in counts.items():
            if group and total + count > MAX_SMALL:
                yield group
                group, total = [], 0
            group.append(term)
            total += count
        if group:
            yield group
