"""Marks of vendors: their initials on a coloured disc, drawn from the name alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from zlib import crc32

COLOURS = 8  # classes `mark-0` to `mark-7` of the style sheet
WORD = re.compile(r"[^\W_]+")
MAX_INITIALS = 3  # of a name that is an abbreviation itself


@dataclass(frozen=True, slots=True)
class VendorMark:
    """The initials of a vendor, and the number of its colour."""

    initials: str
    colour: int

    @classmethod
    def of(cls, vendor: str) -> VendorMark:
        """Return the mark of a vendor, always the same for the same name."""
        return cls(_initials(vendor), crc32(vendor.encode()) % COLOURS)


def _initials(vendor: str) -> str:
    """Return a short abbreviation itself, else the first letters of two words or of one."""
    words = WORD.findall(vendor)
    if len(words) > 1:
        return "".join(word[0] for word in words[:2]).upper()
    word = words[0] if words else "?"
    is_abbreviation = len(word) <= MAX_INITIALS and word.isupper()
    return word if is_abbreviation else word[:2].capitalize()
