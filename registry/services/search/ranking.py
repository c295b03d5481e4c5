"""Ranking of search results: how well a tag's names match a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from registry.domain.name_folding import fold_name
from registry.models import Status
from registry.services.search.name_index import MAX_QUERY, query_words

RUN = re.compile(r"[a-z]+|[0-9]+")

SPELT_SO, SAME, SAME_BEHIND, WHOLE_WORDS, BEGINNINGS, INSIDE = range(6)  # ranks, the best first
STATUS_ORDER = tuple(Status)  # of names that fit equally well, what is still kept up comes first

SortKey = tuple[Any, ...]  # by which matches of a text are ordered, the first one first


def rank_tags(
    text: str, rows: Sequence[tuple[str, int]], statuses: Mapping[int, Status]
) -> dict[int, SortKey]:
    """How well the best name of each tag fits a text."""
    rank = ranking(text)
    best: dict[int, SortKey] = {}
    for name, tag in rows:
        key = (rank(name), STATUS_ORDER.index(statuses[tag]), len(name), name)
        best[tag] = min(key, best.get(tag, key))
    return best


def ranking(query: str) -> Callable[[str], int]:
    """How well names that hold a query fit it: a function from a name to its rank.

    Spelt so; the same letters and digits; these behind the namespace, or a later slash; words of
    the name; beginnings of its words; anywhere inside. Letters beside digits are two words.
    """
    spelt, asked, wanted = query.strip(), fold_name(query[:MAX_QUERY]), query_words(query)

    def rank(name: str) -> int:
        if name == spelt:
            return SPELT_SO
        runs = RUN.findall(name.lower())
        whole = "".join(runs)
        if whole == asked:
            return SAME
        if whole.endswith(asked) and asked in map(fold_name, _behind_slashes(name)):
            return SAME_BEHIND
        borders = {0, *accumulate(map(len, runs))}
        return max((_rank_of(word, whole, borders) for word in wanted), default=INSIDE)

    return rank


def _behind_slashes(name: str) -> Iterator[str]:
    parts = name.split("/")
    return ("/".join(parts[at:]) for at in range(1, len(parts)))


def _rank_of(word: str, whole: str, borders: Collection[int]) -> int:
    """Where a word stands best in a folded name, whose runs of letters or digits have borders."""
    best = INSIDE
    at = whole.find(word)
    while at >= 0:
        if at in borders:
            if at + len(word) in borders:
                return WHOLE_WORDS
            best = BEGINNINGS
        at = whole.find(word, at + 1)
    return best
