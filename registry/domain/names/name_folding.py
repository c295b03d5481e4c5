"""Fold names for comparison, split them into trigrams, and compute their edit distance."""

from __future__ import annotations

import re

NOT_FOLDED = re.compile(r"[^a-z0-9]+")
NOT_IN_TAGS = re.compile(r"[ _]+")
GRAM_LENGTH = 3


def fold_name(text: str) -> str:
    """Keep only letters and digits, in lower case: `RTX 4090` and `rtx-4090` become equal."""
    return NOT_FOLDED.sub("", text.lower())


def usual_spellings(name: str) -> tuple[str, ...]:
    """Return how tags write a name, if otherwise: in lower case, and with hyphens in place of
    blanks and underscores.
    """
    lower = name.strip().lower()
    spellings = dict.fromkeys((lower, NOT_IN_TAGS.sub("-", lower)))
    return tuple(spelling for spelling in spellings if spelling != name)


def trigrams(folded: str) -> frozenset[str]:
    """Return every substring of three characters; for a shorter text, the text itself."""
    if len(folded) <= GRAM_LENGTH:
        return frozenset({folded} - {""})
    return frozenset(
        folded[start : start + GRAM_LENGTH] for start in range(len(folded) - GRAM_LENGTH + 1)
    )


def edit_distance(one: str, other: str) -> int:
    """Return the edit distance (optimal string alignment) between two texts.

    An edit removes, inserts or replaces a character or swaps two neighbours. Takes time in
    proportion to the product of the lengths, without what both begin and end with.
    """
    one, other = _without_shared_ends(one, other)
    row_before_last: list[int] = []
    last_row: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        row_before_last, last_row, row = last_row, row, [i + 1]
        for j, other_letter in enumerate(other):
            cost = min(last_row[j] + (letter != other_letter), last_row[j + 1] + 1, row[j] + 1)
            if i and j and letter == other[j - 1] and one[i - 1] == other_letter:
                cost = min(cost, row_before_last[j - 1] + 1)
            row.append(cost)
    return row[-1]


def least_distance(one: str, other: str) -> int:
    """Return the least edit distance that two texts with these characters, in any order, have."""
    shared = sum(min(one.count(character), other.count(character)) for character in {*one})
    return max(len(one), len(other)) - shared


def _without_shared_ends(one: str, other: str) -> tuple[str, str]:
    """Return two texts without the characters that both begin with, then those both end with."""
    shortest = min(len(one), len(other))
    start = 0
    while start < shortest and one[start] == other[start]:
        start += 1
    end = 0
    while end < shortest - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]
