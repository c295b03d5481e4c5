"""References: text that names a tag, and optionally a version or digest.

reference = tag [ "@" selector ]          nvidia/jetson-nano:cuda@1.2
tag       = name [ ":" variant ]
selector  = N | N.N | N.N.N | "sha256:" 64 hex
pair      = reference "..." reference     nvidia/jetson-nano@1...nvidia/jetson-nano
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.version_number import VersionNumber

MAX_TAG = 183  # with "@sha256:" and 64 hex digits a reference then has at most 255 characters
MAX_REFERENCE = 255
RESERVED_ENDINGS = (".json", ".atom", ".svg")  # file extensions in URLs next to a tag's page

COMPONENT = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*")  # the OCI repository grammar
VARIANT = re.compile(r"(?!.*\.\.)[a-z0-9_][a-z0-9._-]{0,63}(?<!\.)")
ALIAS = re.compile(r"[!-~]+")
NOT_IN_ALIAS = frozenset("@?#%\\")
DOT_SEGMENTS = frozenset({".", ".."})  # whoever reads a URL may remove them (RFC 3986, 5.2.4)
NUMBERS = re.compile(r"(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){0,2}")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
NUMBERS_INSIDE = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,2}")  # as in v1.2, 01, ^1 and 1.x
HEXADECIMAL_INSIDE = re.compile(r"[0-9a-f]{64}")
# Tags and selectors cannot contain it; `alias_problem` rejects it in aliases.
PAIR_SEPARATOR = "..."
PAIR_SPLIT = re.compile(r"\.{3}(?!\.)")  # the last three of several dots: an alias may end in one

EXPECTED = "namespace/name[:variant][@version], such as nvidia/jetson-nano:cuda@1"
PAIR_EXPECTED = "OLD...NEW: two references with three dots between them"


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


class InvalidName(Refused):
    """A reference whose `name`, the part before the `@`, is neither a tag nor an alias."""

    def __init__(self, name: str, problem: str) -> None:
        fault = Fault("", Code.REFERENCE_INVALID, problem, EXPECTED, echo(name))
        super().__init__(Code.REFERENCE_INVALID, f"{problem}.", faults=[fault])
        self.name = name


@dataclass(frozen=True, slots=True)
class Selector:
    """The part of a reference after the `@`: up to three numbers, or a digest."""

    numbers: tuple[int, ...] = ()
    digest: str = ""

    @classmethod
    def parse(cls, text: str) -> Selector:
        """Parse the text after the `@`. Raises `Refused` (REFERENCE_INVALID)."""
        if DIGEST.fullmatch(text):
            return cls(digest=text)
        if NUMBERS.fullmatch(text):
            return cls(numbers=tuple(int(part) for part in text.split(".")))
        raise _invalid(
            f"{echo(text)} is not a version selector: expected 1, 1.2, 1.2.3 or sha256: and 64 hex "
            "digits, or no @ for the newest version"
        )

    @classmethod
    def nearest(cls, text: str) -> Selector:
        """Return what somebody may have meant by a text that is not a selector.

        That is the number or digest inside it, or else the newest version.
        """
        if digits := HEXADECIMAL_INSIDE.search(text.lower()):
            return cls(digest=f"sha256:{digits[0]}")
        numbers = NUMBERS_INSIDE.search(text)
        return cls(tuple(map(int, numbers[0].split(".")))) if numbers else NEWEST

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


@dataclass(frozen=True, slots=True)
class Tag:
    """The name of a target: `namespace/name[:variant]`."""

    name: str
    variant: str = ""

    @classmethod
    def parse(cls, text: str) -> Tag:
        """Parse a tag in canonical spelling. Raises `Refused` (REFERENCE_INVALID)."""
        if problem := tag_problem(text):
            raise _invalid(problem)
        name, _, variant = text.partition(":")
        return cls(name, variant)

    @property
    def namespace(self) -> str:
        """The first segment of the name."""
        return self.name.partition("/")[0]

    def __str__(self) -> str:
        return f"{self.name}:{self.variant}" if self.variant else self.name


@dataclass(frozen=True, slots=True)
class Reference:
    """A tag or an alias, with a selector.

    `text` is the part before the `@`: a tag, or a spelling that only an alias can have.
    """

    text: str
    selector: Selector = NEWEST

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Parse a reference. Raises `Refused` (REFERENCE_INVALID) with the expected form."""
        if len(text) > MAX_REFERENCE:
            raise _invalid(f"{echo(text)} has {len(text)} characters: at most {MAX_REFERENCE}")
        name, separator, selector = text.partition("@")
        problem = tag_problem(name)
        if problem and alias_problem(name):
            raise InvalidName(name, problem)
        try:
            return cls(name, Selector.parse(selector) if separator else NEWEST)
        except Refused as refusal:
            near = str(cls(name, Selector.nearest(selector)))
            raise Refused(
                refusal.code, refusal.detail, faults=refusal.faults, suggestions=[near]
            ) from None

    @property
    def is_tag(self) -> bool:
        """True if the text can be a tag; otherwise it can only be an alias."""
        return not tag_problem(self.text)

    def __str__(self) -> str:
        selector = str(self.selector)
        return f"{self.text}@{selector}" if selector else self.text


@dataclass(frozen=True, slots=True)
class Pair:
    """Two references to compare: `OLD...NEW`."""

    old: Reference
    new: Reference

    @classmethod
    def parse(cls, text: str) -> Pair:
        """Parse a pair. Raises `Refused` (REFERENCE_INVALID) with the expected form."""
        sides = PAIR_SPLIT.split(text)
        if len(sides) > 2:
            raise _invalid(f"{echo(text)} has {len(sides)} references", PAIR_EXPECTED)
        if len(sides) < 2 or not all(sides):
            problem = f"{echo(text) or '(empty)'} is missing a reference"
            raise _invalid(problem, PAIR_EXPECTED, cls._with_three_dots(text))
        old, new = map(Reference.parse, sides)
        return cls(old, new)

    @staticmethod
    def _with_three_dots(text: str) -> list[str]:
        """Return the pair that a text with two dots between two references means, if it is one."""
        old, dots, new = text.partition("..")
        try:
            return [str(Pair(Reference.parse(old), Reference.parse(new)))] if dots else []
        except Refused:
            return []

    def __str__(self) -> str:
        return f"{self.old}{PAIR_SEPARATOR}{self.new}"


def tag_problem(text: str) -> str:
    """Return a sentence on why a text is not a tag; empty if it is one."""
    if not text:
        return "the name is missing; a tag is a namespace, a slash and a name, as in nvidia/a100"
    if len(text) > MAX_TAG:
        return f"{echo(text)} has {len(text)} characters: a tag has at most {MAX_TAG}"
    name, colon, variant = text.partition(":")
    components = name.split("/")
    for component in components:
        if not COMPONENT.fullmatch(component):
            return (
                f"{echo(text)} is not a tag: its part {echo(component) or '(empty)'} is not "
                f"lowercase letters and digits, joined by '.', '_', '__' or '-'"
            )
    if len(components) < 2:
        return f"{echo(text)} is not a tag: a name has a namespace and a slash, as in nvidia/a100"
    if colon and not VARIANT.fullmatch(variant):
        return (
            f"{echo(text)} is not a tag: the variant {echo(variant) or '(empty)'} is not "
            "1 to 64 of a-z, 0-9, '.', '_', '-', without two dots in a row or one at the end"
        )
    for part in (*components, variant):
        if part.endswith(RESERVED_ENDINGS):
            return f"{echo(text)} is not a tag: {echo(part)} ends in a reserved file extension"
    return ""


def alias_problem(text: str) -> str:
    """Return a sentence on why a text is not an alias; empty if it is one."""
    namespace, _, rest = text.partition("/")
    if len(text) > MAX_TAG:
        return f"{echo(text)} has {len(text)} characters: an alias has at most {MAX_TAG}"
    if not COMPONENT.fullmatch(namespace) or not rest:
        return f"{echo(text)} is not an alias: it must begin with a namespace and a slash"
    if not ALIAS.fullmatch(text) or NOT_IN_ALIAS & set(text):
        return f"{echo(text)} is not an alias: use printable ASCII without spaces, @ ? # % and \\"
    if PAIR_SEPARATOR in text:
        return f"{echo(text)} is not an alias: three dots separate two references"
    if DOT_SEGMENTS & {*text.split("/")}:
        return f"{echo(text)} is not an alias: a part is only dots, which URLs do not keep"
    if text.endswith(RESERVED_ENDINGS):
        return f"{echo(text)} is not an alias: it ends in a reserved file extension"
    return ""


def unknown_alias(reference: Reference) -> InvalidName:
    """Return the error for an unknown reference that is not a valid tag either."""
    return InvalidName(reference.text, tag_problem(reference.text))


def _invalid(problem: str, expected: str = EXPECTED, near: Iterable[str] = ()) -> Refused:
    fault = Fault("", Code.REFERENCE_INVALID, problem, expected)
    return Refused(Code.REFERENCE_INVALID, f"{problem}.", faults=[fault], suggestions=near)
