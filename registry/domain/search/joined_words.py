"""Neighbouring words that people also write as one: `zero 2 w` and `zero2w`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from registry.domain.search.search_terms import MAX_JOINED


def joined(words: Sequence[str]) -> Iterator[str]:
    """Yield each word, and each run of neighbours as one."""
    return ("".join(words[start:end]) for start, end in _spans(len(words)))


def positions_in(words: Sequence[str], texts: Collection[str]) -> set[int]:
    """Return the words, by index, that are among some texts, alone or joined with neighbours."""
    return {
        index
        for start, end in _spans(len(words))
        if "".join(words[start:end]) in texts
        for index in range(start, end)
    }


def _spans(length: int) -> Iterator[tuple[int, int]]:
    for start in range(length):
        for end in range(start + 1, min(start + MAX_JOINED, length) + 1):
            yield start, end
