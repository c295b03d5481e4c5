"""Collect the values of a reading, each with its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from registry.domain.identify.readings import Fact, Ignored, Reading, Recognised, Stated
from ttag_rules.pointer import look_up

MAX_MATCHES = 64  # of one form in a text; what a text repeats more often is a list
Span = tuple[int, int]


@dataclass(slots=True)
class ReadingBuilder:
    """A reading while values are added to it; `form` names what its places are recognised as."""

    text: str
    form: str
    body: dict[str, Any] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    places: list[Span] = field(default_factory=list)
    year: int = 0

    def state(self, pointer: str, value: Any, span: Span, stated: Stated = "text") -> None:
        """Add a value at a pointer such as `/host/mcpu`, unless there is one already."""
        *parents, name = pointer.split("/")[1:]
        node = self.body
        for parent in parents:
            node = node.setdefault(parent, {})
        if node.setdefault(name, value) == value:
            self.facts.append(Fact(pointer, *span, stated))
            self.places.append(span)

    def add(self, other: ReadingBuilder) -> None:
        """Add what another builder of the same text states."""
        for fact in other.facts:
            value = look_up(other.body, fact.pointer)
            self.state(fact.pointer, value, (fact.start, fact.end), fact.stated)
        self.notes += other.notes
        self.names += other.names
        self.ignored += other.ignored

    def ignore(self, span: Span, reason: str) -> None:
        """Add a part of the text that says nothing about the machine."""
        self.ignored.append(Ignored(self.text[slice(*span)], reason, *span))

    def reading(self, search: tuple[tuple[str, str], ...] = ()) -> Reading:
        """Return the reading. Places on one line are recognised as one."""
        return Reading(
            self.body,
            tuple(self.facts),
            notes=tuple(dict.fromkeys(self.notes)),
            recognised=tuple(Recognised(self.form, *span) for span in self._joined_places()),
            names=tuple(dict.fromkeys(self.names)),
            search=search,
            ignored=tuple(self.ignored),
            year=self.year,
        )

    def _joined_places(self) -> list[Span]:
        joined: list[Span] = []
        for start, end in sorted(set(self.places)):
            if joined and "\n" not in self.text[joined[-1][1] : start]:
                joined[-1] = (joined[-1][0], max(joined[-1][1], end))
            else:
                joined.append((start, end))
        return joined


def matches_in(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the first matches of a form in a text."""
    return islice(pattern.finditer(text), MAX_MATCHES)


def nothing(*ignored: Ignored) -> Reading:
    """Return a reading of no machine, with what was ignored."""
    return Reading({}, ignored=ignored)
