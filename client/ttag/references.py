"""References, and which version one selects.

A client refuses what the registry refuses, before it asks anybody: the text of a reference becomes
part of URLs and of file names. Whether a name is a tag or an alias only the registry knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ttag.errors import ReferenceInvalid

MAX_REFERENCE = 255
MAX_NAME = 183
EXPECTED = "expected namespace/name[:variant][@version], such as nvidia/jetson-nano:cuda@1"
NAME = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*/[!-~]+")
# Three dots separate two references; programs that read URLs remove segments of dots.
NOT_IN_NAME = re.compile(r"[@?#%\\]|\.{3}|/\.{1,2}(?:/|\Z)")
RESERVED_ENDINGS = (".json", ".atom", ".svg")
NUMBERS = re.compile(r"(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){0,2}")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


class Candidate(Protocol):
    """The facts about a version that selection depends on."""

    @property
    def number(self) -> tuple[int, int, int]:
        """The reference's complete version number."""

    @property
    def digest(self) -> str:
        """The digest of the target."""

    @property
    def yanked(self) -> bool:
        """True if the version is yanked."""


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, slots=True)
class Reference:
    """A tag or an alias, and the selector after the `@`, which is empty for the newest version."""

    name: str
    selector: str = ""

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Parse a reference. Raises `ReferenceInvalid`."""
        name, separator, selector = text.partition("@")
        if len(text) > MAX_REFERENCE or not _is_name(name):
            raise ReferenceInvalid(f"{text[:MAX_REFERENCE]!r} is not a reference: {EXPECTED}.")
        if separator and not (NUMBERS.fullmatch(selector) or DIGEST.fullmatch(selector)):
            raise ReferenceInvalid(
                f"{selector!r} in {text} is not a version selector: expected 1, 1.2, 1.2.3 or "
                "sha256: and 64 hexadecimal digits, or no @ for the newest version."
            )
        return cls(name, selector)

    @property
    def namespace(self) -> str:
        """The first segment of the name."""
        return self.name.partition("/")[0]

    @property
    def is_digest(self) -> bool:
        """True if a digest selects the version."""
        return self.selector.startswith("sha256:")

    @property
    def is_floating(self) -> bool:
        """True if a later publication can change the selected version."""
        return not self.is_digest and self.selector.count(".") < 2

    def admits(self, version: str, digest: str | None) -> bool:
        """Return whether the selector admits a version, given as `MAJOR.MINOR.PATCH`.

        A digest admits the version whose target has it; None, an unknown one, any version.
        """
        if self.is_digest:
            return digest in {None, self.selector}
        return not self.selector or f"{version}.".startswith(f"{self.selector}.")

    def __str__(self) -> str:
        return f"{self.name}@{self.selector}" if self.selector else self.name


def is_exact_number(text: str) -> bool:
    """Return whether a text is a version number, `MAJOR.MINOR.PATCH`."""
    return bool(NUMBERS.fullmatch(text)) and text.count(".") == 2


def select_version(selector: str, candidates: Iterable[C]) -> C | None:
    """Return the newest version that a selector admits, or None.

    Only exact numbers and digests select yanked versions; a digest prefers versions that are not.
    """
    if selector.startswith("sha256:"):
        matching = [version for version in candidates if version.digest == selector]
        return max(matching, key=lambda version: (not version.yanked, version.number), default=None)
    numbers = tuple(map(int, selector.split("."))) if selector else ()
    admitted = [
        version
        for version in candidates
        if version.number[: len(numbers)] == numbers and (len(numbers) == 3 or not version.yanked)
    ]
    return max(admitted, key=lambda version: version.number, default=None)


def _is_name(text: str) -> bool:
    """Return whether a text is a tag or an alias; every tag fits the grammar of aliases."""
    return (
        len(text) <= MAX_NAME
        and NAME.fullmatch(text) is not None
        and not NOT_IN_NAME.search(text)
        and not text.endswith(RESERVED_ENDINGS)
    )
