"""How names are compared by people: folded, and cut into grams for the index behind search."""

from __future__ import annotations

import re

NOT_FOLDED = re.compile(r"[^a-z0-9]+")
GRAM = 3


def fold(text: str) -> str:
    """Letters and digits only, in lower case: `RTX 4090` and `rtx-4090` are one name."""
    return NOT_FOLDED.sub("", text.lower())


def grams(folded: str) -> frozenset[str]:
    """Every three characters in a row; a shorter text is its own gram."""
    if len(folded) <= GRAM:
        return frozenset({folded} - {""})
    return frozenset(folded[at : at + GRAM] for at in range(len(folded) - GRAM + 1))


def distance(one: str, other: str) -> int:
    """How many slips lead from one text to the other.

    A slip leaves a letter out, adds one, takes another, or swaps two neighbours; none of them
    touches what another has (optimal string alignment). Time grows with the product of lengths.
    """
    before: list[int] = []
    last: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        before, last, row = last, row, [i + 1]
        for j, across in enumerate(other):
            slips = min(last[j] + (letter != across), last[j + 1] + 1, row[j] + 1)
            if i and j and letter == other[j - 1] and one[i - 1] == across:
                slips = min(slips, before[j - 1] + 1)
            row.append(slips)
    return row[-1]
