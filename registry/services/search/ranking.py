"""Ranks search results by how well a tag's names match a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from registry.domain.name_folding import fold_name
from registry.models import Status
from registry.services.search.name_index import MAX_QUERY, query_words

RUN = re.compile(r"[a-z]+|[0-9]+")

EXACT, SAME_LETTERS, SAME_SUFFIX, WHOLE_WORDS, PREFIXES, INSIDE = range(6)  # ranks, best first
STATUS_ORDER = tuple(Status)  # breaks ties: active tags come first

SortKey = tuple[Any, ...]  # orders the matches of a text, the best one first


def rank_tags(
    text: str, rows: Sequence[tuple[str, int]], statuses: Mapping[int, Status]
) -> dict[int, SortKey]:
    """Return a sort key for each tag, from the name that matches the text best."""
    rank = ranking(text)
    best: dict[int, SortKey] = {}
    for name, tag in rows:
        key = (rank(name), STATUS_ORDER.index(statuses[tag]), len(name), name)
        best[tag] = min(key, best.get(tag, key))
    return best


def ranking(query: str) -> Callable[[str], int]:
    """Return a function from a name that contains a query to its rank.

    Best first: an exact match; the same letters and digits; the same after the namespace or a later
    slash; whole words; prefixes of words; anywhere inside. Letters and digits are separate words.
    """
    exact, folded, words = query.strip(), fold_name(query[:MAX_QUERY]), query_words(query)

    def rank(name: str) -> int:
        if name == exact:
            return EXACT
        runs = RUN.findall(name.lower())
        folded_name = "".join(runs)
        if folded_name == folded:
            return SAME_LETTERS
        if folded_name.endswith(folded) and folded in map(fold_name, _suffixes(name)):
            return SAME_SUFFIX
        borders = {0, *accumulate(map(len, runs))}
        return max((_rank_of(word, folded_name, borders) for word in words), default=INSIDE)

    return rank


def _suffixes(name: str) -> Iterator[str]:
    parts = name.split("/")
    return ("/".join(parts[start:]) for start in range(1, len(parts)))


def _rank_of(word: str, name: str, borders: Collection[int]) -> int:
    """Return the best rank of a word in a folded name, given the borders of its words."""
    best = INSIDE
    start = name.find(word)
    while start >= 0:
        if start in borders:
            if start + len(word) in borders:
                return WHOLE_WORDS
            best = PREFIXES
        start = name.find(word, start + 1)
    return best
