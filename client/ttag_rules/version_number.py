"""Version numbers: MAJOR, MINOR and PATCH."""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER = r"(?:0|[1-9][0-9]{0,8})"
EXACT = re.compile(rf"{NUMBER}(?:\.{NUMBER}){{2}}")


@dataclass(frozen=True, slots=True, order=True)
class VersionNumber:
    """A version number, `MAJOR.MINOR.PATCH`, in numeric order."""

    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> VersionNumber:
        """Parse three dotted numbers. Raises `ValueError` with the text if it is anything else."""
        if not EXACT.fullmatch(text):
            raise ValueError(f"{text!r} is not a version number")
        return cls(*map(int, text.split(".")))

    @property
    def parts(self) -> tuple[int, int, int]:
        """The three numbers, most significant first."""
        return self.major, self.minor, self.patch

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"
