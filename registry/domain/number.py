"""Version numbers: computed from what changed, never chosen (design section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Bump(StrEnum):
    """What a new version means for those who use the one before it."""

    FIRST = "FIRST"
    MAJOR = "MAJOR"  # some tuning records no longer match
    MINOR = "MINOR"  # rebuild, keep the tuning records
    PATCH = "PATCH"  # nothing to do


@dataclass(frozen=True, slots=True, order=True)
class Number:
    """`MAJOR.MINOR.PATCH`. Orders as numbers do."""

    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> Number:
        """Read three dotted numbers. Raises `ValueError` that echoes anything else."""
        if not re.fullmatch(r"(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}", text):
            raise ValueError(f"{text!r} is no version number")
        return cls(*map(int, text.split(".")))

    @property
    def parts(self) -> tuple[int, int, int]:
        """The three numbers, most significant first."""
        return self.major, self.minor, self.patch

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


FIRST = Number(1, 0, 0)


def next_number(bump: Bump, base: Number | None, taken: Iterable[Number]) -> Number:
    """The next free number: above every number ever taken in the line that the bump stays in.

    `base` is the version compared with; `taken` are all numbers of the tag, yanked ones too.
    """
    taken = set(taken)
    if base is None or not taken:
        return FIRST
    match bump:
        case Bump.MAJOR:
            return Number(max(number.major for number in taken) + 1, 0, 0)
        case Bump.MINOR:
            line = [number.minor for number in taken if number.major == base.major]
            return Number(base.major, max(line) + 1, 0)
        case Bump.PATCH:
            line = [number.patch for number in taken if number.parts[:2] == base.parts[:2]]
            return Number(base.major, base.minor, max(line) + 1)
    raise ValueError(f"{bump} needs a tag without versions; {base} is there")
