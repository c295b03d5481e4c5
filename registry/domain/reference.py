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

from registry.domain.errors import Code, Fault, Refused, echo
from ttag_rules.names import EXPECTED, MAX_REFERENCE, PAIR_SEPARATOR, alias_problem, tag_problem
from ttag_rules.selectors import NEWEST, SELECTOR_EXPECTED, Selector

NUMBERS_INSIDE = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,2}")  # as in v1.2, 01, ^1 and 1.x
HEXADECIMAL_INSIDE = re.compile(r"[0-9a-f]{64}")
PAIR_SPLIT = re.compile(r"\.{3}(?!\.)")  # the last three of several dots: an alias may end in one
PAIR_EXPECTED = "OLD...NEW: two references with three dots between them"


class InvalidName(Refused):
    """A reference whose `name`, the part before the `@`, is neither a tag nor an alias."""

    def __init__(self, name: str, problem: str) -> None:
        fault = Fault("", Code.REFERENCE_INVALID, problem, EXPECTED, echo(name))
        super().__init__(Code.REFERENCE_INVALID, f"{problem}.", faults=[fault])
        self.name = name


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
        selected = Selector.read(selector) if separator else NEWEST
        if selected is None:
            near = str(cls(name, nearest_selector(selector)))
            problem = f"{echo(selector)} is not a version selector: expected {SELECTOR_EXPECTED}"
            raise _invalid(problem, near=[near])
        return cls(name, selected)

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


def nearest_selector(text: str) -> Selector:
    """Return what somebody may have meant by a text that is not a selector.

    That is the number or digest inside it, or else the newest version.
    """
    if digits := HEXADECIMAL_INSIDE.search(text.lower()):
        return Selector(digest=f"sha256:{digits[0]}")
    numbers = NUMBERS_INSIDE.search(text)
    return Selector(tuple(map(int, numbers[0].split(".")))) if numbers else NEWEST


def unknown_alias(reference: Reference) -> InvalidName:
    """Return the error for an unknown reference that is not a valid tag either."""
    return InvalidName(reference.text, tag_problem(reference.text))


def _invalid(problem: str, expected: str = EXPECTED, near: Iterable[str] = ()) -> Refused:
    fault = Fault("", Code.REFERENCE_INVALID, problem, expected)
    return Refused(Code.REFERENCE_INVALID, f"{problem}.", faults=[fault], suggestions=near)
