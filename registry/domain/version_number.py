"""Version numbers, computed from what changed and never chosen by the author."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from ttag_rules.version_number import VersionNumber


class Bump(StrEnum):
    """The meaning of a new version for users of the previous one."""

    FIRST = "FIRST"
    MAJOR = "MAJOR"  # some tuning records no longer match
    MINOR = "MINOR"  # rebuild, keep the tuning records
    PATCH = "PATCH"  # nothing to do


FIRST_NUMBER = VersionNumber(1, 0, 0)


def next_number(
    bump: Bump, base: VersionNumber | None, taken: Iterable[VersionNumber]
) -> VersionNumber:
    """Return the next free number: above every number used in the line that the bump stays in.

    `base` is the version that was compared; `taken` holds all numbers of the tag, including yanked
    ones.
    """
    taken = set(taken)
    if base is None or not taken:
        return FIRST_NUMBER
    match bump:
        case Bump.MAJOR:
            return VersionNumber(max(number.major for number in taken) + 1, 0, 0)
        case Bump.MINOR:
            line = [number.minor for number in taken if number.major == base.major]
            return VersionNumber(base.major, max(line) + 1, 0)
        case Bump.PATCH:
            line = [number.patch for number in taken if number.parts[:2] == base.parts[:2]]
            return VersionNumber(base.major, base.minor, max(line) + 1)
    raise ValueError(f"{bump} requires a tag without versions, but {base} exists")


def with_neighbours(number: VersionNumber, others: Iterable[VersionNumber]) -> list[VersionNumber]:
    """Return a number between the nearest others of its MAJOR, in order.

    It is the first if there are none below, and the last if there are none above.
    """
    line = [other for other in others if other.major == number.major]
    below = max((other for other in line if other < number), default=None)
    above = min((other for other in line if other > number), default=None)
    return [neighbour for neighbour in (below, number, above) if neighbour is not None]
