"""References, and which version one selects.

A client refuses what the registry refuses, before it asks anybody: the text of a reference becomes
part of URLs and of file names. Whether a name is a tag or an alias only the registry knows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ttag.errors import ReferenceInvalid, echo
from ttag_rules.names import EXPECTED, MAX_REFERENCE, is_name, tag_problem
from ttag_rules.selectors import NEWEST, SELECTOR_EXPECTED, Selector
from ttag_rules.version_number import VersionNumber

# A JSON pointer (RFC 6901), of printable characters: `~` is written ~0, and `/` in a name ~1.
POINTER = re.compile(r'(?:/(?:[!"$-.0-}]|~[01])+)+')
MAX_POINTER = 1024  # characters; the deepest node of a target needs some 700


@dataclass(frozen=True, slots=True)
class Reference:
    """A tag or an alias, and the selector after the `@`.

    `node` is the JSON pointer after the `#`, of a part of the target; empty for the whole.
    """

    name: str
    selector: Selector = NEWEST
    node: str = ""

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Parse a reference to a whole target. Raises `ReferenceInvalid`."""
        if "#" in text:
            raise ReferenceInvalid(
                f"{echo(text, MAX_REFERENCE)} names a node with its #, and only a whole target "
                f"can stand here: expected {EXPECTED}."
            )
        if len(text) > MAX_REFERENCE:
            raise ReferenceInvalid(
                f"{echo(text)} has {len(text)} characters, and a reference at most "
                f"{MAX_REFERENCE}: expected {EXPECTED}."
            )
        name, separator, after = text.partition("@")
        if not is_name(name):
            raise ReferenceInvalid(f"{tag_problem(name)}; expected {EXPECTED}.")
        selector = Selector.read(after) if separator else NEWEST
        if selector is None:
            raise ReferenceInvalid(
                f"{echo(after)} in {echo(text)} is not a version selector: expected "
                f"{SELECTOR_EXPECTED}."
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

    def admits(self, version: str, digest: str | None) -> bool:
        """Return whether a text is the number of a version that the selector admits.

        A digest admits the version whose target has it; None, an unknown one, any version.
        """
        number = read_number(version)
        if number is None:
            return False
        if self.selector.digest and digest is not None:
            return digest == self.selector.digest
        return self.selector.admits(number)

    def __str__(self) -> str:
        version = "" if self.selector == NEWEST else f"@{self.selector}"
        return f"{self.name}{version}" + (f"#{self.node}" if self.node else "")


def whole_of(reference: str) -> str:
    """Return the text of a reference without the pointer of a node."""
    return reference.partition("#")[0]


def read_number(text: str) -> VersionNumber | None:
    """Return the version number that a text is; None if it is none."""
    try:
        return VersionNumber.parse(text)
    except ValueError:
        return None
