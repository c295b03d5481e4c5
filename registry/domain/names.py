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
