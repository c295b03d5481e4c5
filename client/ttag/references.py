"""References, and which version one selects.

A client refuses what the registry refuses, before it asks anybody: the text of a reference becomes
part of URLs and of file names. Whether a name is a tag or an alias only the registry knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from ttag.errors import ReferenceInvalid, echo

MAX_REFERENCE = 255
MAX_NAME = 183
EXPECTED = "expected namespace/name[:variant][@version], such as nvidia/jetson-nano:cuda@1"
NAME = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*/[!-~]+")
# Three dots separate two references; programs that read URLs remove segments of dots.
NOT_IN_NAME = re.compile(r"[@?#%\\]|\.{3}|/\.{1,2}(?:/|\Z)")
RESERVED_ENDINGS = (".json", ".atom", ".svg")
NUMBERS = re.compile(r"(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){0,2}")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
# A JSON pointer (RFC 6901), of printable characters: `~` is written ~0, and `/` in a name ~1.
POINTER = re.compile(r'(?:/(?:[!"$-.0-}]|~[01])+)+')
MAX_POINTER = 1024  # characters; the deepest node of a target needs some 700


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
    """A tag or an alias, and the selector after the `@`, which is empty for the newest version.

    `node` is the JSON pointer after the `#`, of a part of the target; empty for the whole.
    """

    name: str
    selector: str = ""
    node: str = ""

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Parse a reference to a whole target. Raises `ReferenceInvalid`."""
        if "#" in text:
            raise ReferenceInvalid(
                f"{echo(text, MAX_REFERENCE)} names a node with its #, and only a whole target "
                f"can stand here: {EXPECTED}."
            )
        name, separator, selector = text.partition("@")
        if len(text) > MAX_REFERENCE or not _is_name(name):
            raise ReferenceInvalid(f"{text[:MAX_REFERENCE]!r} is not a reference: {EXPECTED}.")
        if separator and not (NUMBERS.fullmatch(selector) or DIGEST.fullmatch(selector)):
            raise ReferenceInvalid(
                f"{selector!r} in {text} is not a version selector: expected 1, 1.2, 1.2.3 or "
                "sha256: and 64 hexadecimal digits, or no @ for the newest version."
            )
        return cls(name, selector)

    @classmethod
    def parse_with_node(cls, text: str) -> Reference:
        """Parse a reference to a target or to a node of it, `REF#/pointer`.

        Raises `ReferenceInvalid`.
        """
        whole, separator, node = text.partition("#")
        reference = cls.parse(whole)
        if separator and (len(node) > MAX_POINTER or not POINTER.fullmatch(node)):
            raise ReferenceInvalid(
                f"{echo(node)} after the # of {whole} is not a JSON pointer to a node: expected "
                "one such as /host or /devices/gpu, in which only ~0 and ~1 follow a /."
            )
        return replace(reference, node=node)

    @property
    def whole(self) -> Reference:
        """The reference to the whole target."""
        return replace(self, node="")

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
        version = f"@{self.selector}" if self.selector else ""
        return f"{self.name}{version}" + (f"#{self.node}" if self.node else "")


def whole_of(reference: str) -> str:
    """Return the text of a reference without the pointer of a node."""
    return reference.partition("#")[0]


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
