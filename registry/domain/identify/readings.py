"""Readings of machines in a text, the forms that were recognised, and the parts ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

# A value stands in the text, follows from it, or is one of several.
Stated = Literal["text", "inferred", "ambiguous"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of a body, by its JSON pointer, with the characters of the text that say it.

    `start` and `end` count characters from 0, the end exclusive.
    """

    pointer: str
    start: int
    end: int
    stated: Stated = "text"


@dataclass(frozen=True, slots=True)
class Recognised:
    """A form of text that a reader knows, such as `nvidia-smi -L`, with its place."""

    form: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Ignored:
    """A part of the text that says nothing about a machine, with the reason and its place."""

    text: str
    reason: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """One machine, or one target, that a text describes.

    `body` is what the text says, not checked yet; it can be a part of a body, even empty.
    `names` are what the text calls the machine, the most specific first; the tag of the first
    one that names exactly one tag completes the body. `search` are the parameters of a list of
    tags, for a text that wishes a machine rather than describing one. `year` is that beside the
    name, 0 without one: the machine is not younger. `chip` is what the text calls its chip.
    """

    body: dict[str, Any]
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()
    recognised: tuple[Recognised, ...] = ()
    names: tuple[str, ...] = ()
    search: tuple[tuple[str, str], ...] = ()
    ignored: tuple[Ignored, ...] = ()
    year: int = 0
    chip: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether it describes nothing: what was recognised or ignored stands alone."""
        return not (self.body or self.names or self.search)

    def overlaps(self, other: Reading) -> bool:
        """Return whether a form of this reading has characters in common with one of the other."""
        return any(
            mine.start < theirs.end and theirs.start < mine.end
            for mine in self.recognised
            for theirs in other.recognised
        )


# Decision 145: yields one reading for each machine, in the order of the text. A reader never
# raises for a text, takes linear time, and yields nothing for what is not of its form.
Reader = Callable[[str], Iterator[Reading]]
