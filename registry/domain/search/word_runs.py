"""Runs of neighbouring words that people and names write as one: `rtx 4090` is `rtx4090`, too."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from registry.domain.search.query_words import MAX_WEAK
from registry.domain.search.search_terms import MAX_JOINED, MAX_TERM
from registry.domain.search.word_lists import SAME_SUFFIXES


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


def runs_of(words: Sequence[str], longest: int) -> Iterator[str]:
    """Yield runs of two or more neighbouring words as one."""
    for start in range(len(words)):
        for end in range(start + 2, min(start + longest, len(words)) + 1):
            yield from _spellings(words[start:end])


def runs_with(words: Sequence[str], index: int, *, from_before: bool) -> Iterator[str]:
    """Yield the runs of neighbouring words that hold a word, or that begin before it."""
    last = index - 1 if from_before else index
    for start in range(max(0, index - MAX_JOINED + 1), last + 1):
        for end in range(max(index + 1, start + 2), min(start + MAX_JOINED, len(words)) + 1):
            yield from _spellings(words[start:end])


def _spellings(run: Sequence[str]) -> Iterator[str]:
    """Yield a run of words as one, and as others write its end.

    That is the last number as an ordinal, `se3rd` for `se3`, or a suffix that means the same.
    """
    if run[0].isdigit() and run[1][0].isdigit():  # 7 840hx is no 7840hx
        return
    whole = "".join(run)[:MAX_TERM]
    yield whole
    if run[-1].isdigit() and len(run[-1]) <= MAX_WEAK:
        yield f"{whole}{_ordinal_ending(int(run[-1]))}"
    if same := SAME_SUFFIXES.get(run[-1]):
        yield "".join((*run[:-1], same))[:MAX_TERM]


def _ordinal_ending(number: int) -> str:
    """Return the ending of an English ordinal: the rd of 3rd."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    return "th" if number // 10 == 1 else endings.get(number % 10, "th")
