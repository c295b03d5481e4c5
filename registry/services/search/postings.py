"""Reads the tags that have a word, from the index of terms."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from registry.models import Posting
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
        rows = Posting.objects.filter(term__in=terms).order_by("weight", "tag")
        tags |= dict.fromkeys(rows.values_list("tag", flat=True)[:limit])
    return islice(tags, limit)


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
