"""Selectors: the part of a reference after the `@`, and which version one selects.

selector = N | N.N | N.N.N | "sha256:" 64 hex
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ttag_rules.version_number import NUMBER, VersionNumber

NUMBERS = re.compile(rf"{NUMBER}(?:\.{NUMBER}){{0,2}}")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
SELECTOR_EXPECTED = "1, 1.2, 1.2.3 or sha256: and 64 hex digits, or no @ for the newest version"


class Candidate(Protocol):
    """The facts about a version that selection depends on."""

    @property
    def number(self) -> VersionNumber:
        """The selector's complete version number."""

    @property
    def digest(self) -> str:
        """The digest of the target."""

    @property
    def yanked(self) -> bool:
        """True if the version is yanked."""


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, slots=True)
class Selector:
    """The part of a reference after the `@`: up to three numbers, or a digest."""

    numbers: tuple[int, ...] = ()
    digest: str = ""

    @classmethod
    def read(cls, text: str) -> Selector | None:
        """Return the selector that a text after the `@` is; None if it is none."""
        if DIGEST.fullmatch(text):
            return cls(digest=text)
        if NUMBERS.fullmatch(text):
            return cls(numbers=tuple(int(part) for part in text.split(".")))
        return None

    @property
    def is_exact(self) -> bool:
        """True for a full number, which always selects the same version."""
        return len(self.numbers) == 3

    @property
    def is_floating(self) -> bool:
        """True if a later publication can change the selected version."""
        return not self.digest and not self.is_exact

    def admits(self, number: VersionNumber) -> bool:
        """Return whether the numbers match; a digest admits every number."""
        return number.parts[: len(self.numbers)] == self.numbers

    def choose(self, candidates: Iterable[C]) -> C | None:
        """Return the newest version that matches, or None.

        Only exact numbers and digests match yanked versions; a digest prefers versions that are
        not.
        """
        if self.digest:
            matching = [version for version in candidates if version.digest == self.digest]
            return max(matching, key=lambda v: (not v.yanked, v.number), default=None)
        matching = [
            version
            for version in candidates
            if self.admits(version.number) and (self.is_exact or not version.yanked)
        ]
        return max(matching, key=lambda version: version.number, default=None)

    def __str__(self) -> str:
        return self.digest or ".".join(map(str, self.numbers))


NEWEST = Selector()
