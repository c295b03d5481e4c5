"""References: text that names a tag, and perhaps a version or digest (design section 2).

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
from registry.domain.number import Number

MAX_TAG = 183  # with "@sha256:" and 64 hex digits a reference then has at most 255 characters
MAX_REFERENCE = 255
RESERVED_ENDINGS = (".json", ".atom", ".svg")  # of pages and feeds that stand beside a tag's page

COMPONENT = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*")  # the OCI repository grammar
VARIANT = re.compile(r"(?!.*\.\.)[a-z0-9_][a-z0-9._-]{0,63}(?<!\.)")
ALIAS = re.compile(r"[!-~]+")
NOT_IN_ALIAS = frozenset("@?#%\\")
NUMBERS = re.compile(r"(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){0,2}")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
BETWEEN = "..."  # stands in no tag, in no selector, and since `alias_problem` says so in no alias
SEPARATOR = re.compile(r"\.{3}(?!\.)")  # the last of a row of dots: an alias may end in one

EXPECTED = "namespace/name[:variant][@version], such as nvidia/jetson-nano:cuda@1"
PAIR_EXPECTED = "OLD...NEW: two references with three dots between"


class Candidate(Protocol):
    """What choosing among the versions of a tag looks at."""

    @property
    def number(self) -> Number:
        """Its number."""

    @property
    def digest(self) -> str:
        """Its content."""

    @property
    def yanked(self) -> bool:
        """Whether it is withdrawn."""


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, slots=True)
class Selector:
    """Which version of a tag: numbers (none, one, two or all three), or a digest."""

    numbers: tuple[int, ...] = ()
    digest: str = ""

    @classmethod
    def parse(cls, text: str) -> Selector:
        """Read what stands behind the `@`. Raises `Refused` (REFERENCE_INVALID)."""
        if DIGEST.fullmatch(text):
            return cls(digest=text)
        if NUMBERS.fullmatch(text):
            return cls(numbers=tuple(int(part) for part in text.split(".")))
        raise _invalid(
            f"{echo(text)} selects no version: expected 1, 1.2, 1.2.3 or sha256: and 64 hex digits"
        )

    @property
    def is_exact(self) -> bool:
        """One version for ever: a full number."""
        return len(self.numbers) == 3

    @property
    def is_floating(self) -> bool:
        """Whether another version may answer tomorrow."""
        return not self.digest and not self.is_exact

    def admits(self, number: Number) -> bool:
        """Whether a version of this number may answer. A digest admits by content, not number."""
        return number.parts[: len(self.numbers)] == self.numbers

    def choose(self, candidates: Iterable[C]) -> C | None:
        """The version that answers; None where there is none.

        An exact number and a digest admit yanked versions, a digest unyanked ones first.
        """
        if self.digest:
            fitting = [version for version in candidates if version.digest == self.digest]
            return max(fitting, key=lambda v: (not v.yanked, v.number), default=None)
        fitting = [
            version
            for version in candidates
            if self.admits(version.number) and (self.is_exact or not version.yanked)
        ]
        return max(fitting, key=lambda version: version.number, default=None)

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
        """Read a tag's canonical spelling. Raises `Refused` (REFERENCE_INVALID)."""
        if problem := tag_problem(text):
            raise _invalid(problem)
        name, _, variant = text.partition(":")
        return cls(name, variant)

    @property
    def namespace(self) -> str:
        """The owning first segment."""
        return self.name.partition("/")[0]

    def __str__(self) -> str:
        return f"{self.name}:{self.variant}" if self.variant else self.name


@dataclass(frozen=True, slots=True)
class Reference:
    """A tag or an alias, and which of its versions.

    `text` is the spelling before the `@`: a tag's, or a freer one that only an alias can have.
    """

    text: str
    selector: Selector = NEWEST

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a reference. Raises `Refused` (REFERENCE_INVALID) that says what was expected."""
        if len(text) > MAX_REFERENCE:
            raise _invalid(f"{echo(text)} has {len(text)} characters: at most {MAX_REFERENCE}")
        name, at, selector = text.partition("@")
        problem = tag_problem(name)
        if problem and alias_problem(name):
            raise _invalid(problem)
        return cls(name, Selector.parse(selector) if at else NEWEST)

    @property
    def is_tag(self) -> bool:
        """Whether the spelling is a tag's; else only an alias can be meant."""
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
        """Read a pair. Raises `Refused` (REFERENCE_INVALID) that says what was expected."""
        sides = SEPARATOR.split(text)
        if len(sides) > 2:
            raise _invalid(f"{echo(text)} has {len(sides)} sides", PAIR_EXPECTED)
        if len(sides) < 2 or not all(sides):
            raise _invalid(f"{echo(text) or '(empty)'} lacks a side", PAIR_EXPECTED)
        old, new = map(Reference.parse, sides)
        return cls(old, new)

    def __str__(self) -> str:
        return f"{self.old}{BETWEEN}{self.new}"


def tag_problem(text: str) -> str:
    """Say in one sentence why a text is no tag; empty where it is one."""
    if len(text) > MAX_TAG:
        return f"{echo(text)} has {len(text)} characters: a tag has at most {MAX_TAG}"
    name, colon, variant = text.partition(":")
    components = name.split("/")
    for component in components:
        if not COMPONENT.fullmatch(component):
            return (
                f"{echo(text)} is no tag: its part {echo(component) or '(empty)'} is not "
                f"lower-case letters and digits, joined by '.', '_', '__' or '-'"
            )
    if len(components) < 2:
        return f"{echo(text)} is no tag: a name has a namespace and a slash, as in nvidia/a100"
    if colon and not VARIANT.fullmatch(variant):
        return (
            f"{echo(text)} is no tag: the variant {echo(variant) or '(empty)'} is not "
            "1 to 64 of a-z, 0-9, '.', '_', '-', without two dots in a row or one at the end"
        )
    for part in (*components, variant):
        if part.endswith(RESERVED_ENDINGS):
            return f"{echo(text)} is no tag: {echo(part)} ends in a reserved file ending"
    return ""


def alias_problem(text: str) -> str:
    """Say in one sentence why a text is no alias; empty where it is one."""
    namespace, _, rest = text.partition("/")
    if len(text) > MAX_TAG:
        return f"{echo(text)} has {len(text)} characters: an alias has at most {MAX_TAG}"
    if not COMPONENT.fullmatch(namespace) or not rest:
        return f"{echo(text)} is no alias: it begins with a namespace and a slash"
    if not ALIAS.fullmatch(text) or NOT_IN_ALIAS & set(text):
        return f"{echo(text)} is no alias: printable ASCII without blank, @ ? # % or \\"
    if BETWEEN in text:
        return f"{echo(text)} is no alias: three dots stand between two references"
    if text.endswith(RESERVED_ENDINGS):
        return f"{echo(text)} is no alias: it ends in a reserved file ending"
    return ""


def no_such_alias(reference: Reference) -> Refused:
    """The refusal of a spelling that only an alias could have, where no alias has it."""
    return _invalid(tag_problem(reference.text))


def _invalid(problem: str, expected: str = EXPECTED) -> Refused:
    fault = Fault("", Code.REFERENCE_INVALID, problem, expected)
    return Refused(Code.REFERENCE_INVALID, f"{problem}.", faults=[fault])
