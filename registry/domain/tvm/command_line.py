r"""The command line that TVM took as a target to 0.23: its words, quotes and lists (section 11).

Words end at blanks, items of a list at commas, outside of quotes only; `'` opens and closes a
quote; `\c` stays together and splits nothing. Each level of nesting takes one level of quotes off.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from registry.domain.errors import Fault, Place, echo
from registry.domain.pointer import ROOT

BLANK, COMMA, QUOTE, ESCAPE, DASH = " ", ",", "'", "\\", "-"
TOKEN = re.compile(r"\\.|[\\' ,]", re.DOTALL)
QUOTED = re.compile(r"'[^'\\]*(?:\\.[^'\\]*)*'", re.DOTALL)
SPECIAL = re.compile(r"['\\]")
BARE_WORD = re.compile(r"[^\s'\\]+")
BARE_ITEM = re.compile(r"[^\s'\\,]+")
EXPECTED = "an option such as -mcpu=cortex-a53"
NO_ITEM = COMMA  # a list without items: empty items vanish


class Unreadable(Exception):
    """A text that cannot be read, with the fault that says why."""

    def __init__(
        self,
        code: str,
        message: str,
        expected: str,
        found: str = "",
        place: Place | None = None,
    ) -> None:
        super().__init__(message)
        self.fault = Fault(ROOT, code, message, expected, found, place=place)


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of a command line; `places` says where each of its characters stands in `line`."""

    characters: str
    places: Sequence[int]
    line: str

    @classmethod
    def of(cls, line: str) -> Text:
        """A whole command line."""
        return cls(line, range(len(line)), line)

    @property
    def place(self) -> int:
        """Where it begins; 0 where it has no characters."""
        return self.places[0] if self.places else 0

    def position(self, index: int = 0) -> Place:
        """Return the line and column of one of its characters."""
        return Place.at(self.line, self.places[index] if self.places else 0)

    def cut(self, start: int, end: int | None = None) -> Text:
        """A part of it."""
        return Text(self.characters[start:end], self.places[start:end], self.line)

    def stripped(self) -> Text:
        """Itself without white space around it."""
        start = len(self.characters) - len(self.characters.lstrip())
        return self.cut(start, start + len(self.characters.strip()))

    def split(self, separator: str) -> list[Text]:
        """What stands between separators; empty parts vanish. Raises `Unreadable`."""
        parts: list[Text] = []
        start, opened = 0, -1
        for match in TOKEN.finditer(self.characters):
            token, at = match.group(), match.start()
            if token == QUOTE:
                opened = at if opened < 0 else -1
            elif token == separator and opened < 0:
                parts.append(self.cut(start, at))
                start = match.end()
        if opened >= 0:
            message = f"the quote at character {self.places[opened]} is not closed"
            expected = "a second quote; as a character, \\'"
            raise Unreadable("QUOTE_OPEN", message, expected, QUOTE, self.position(opened))
        parts.append(self.cut(start))
        return [part for part in parts if part.characters]

    def unquoted(self) -> Text:
        r"""Itself with one level of quotes less. Raises `Unreadable`.

        Quotes that hold all of it go; then `\c` outside of quotes becomes `c`.
        """
        text = self.cut(1, -1) if QUOTED.fullmatch(self.characters) else self
        kept: list[tuple[int, int]] = []
        start, in_quotes = 0, False
        for match in TOKEN.finditer(text.characters):
            token, at = match.group(), match.start()
            if token == ESCAPE:
                message = f"the \\ at character {text.places[at]} escapes nothing"
                expected = "a character behind it"
                raise Unreadable("QUOTE_OPEN", message, expected, ESCAPE, text.position(at))
            if token == QUOTE:
                in_quotes = not in_quotes
            elif token[0] == ESCAPE and not in_quotes:
                kept.append((start, at))
                start = at + 1
        if not kept:
            return text
        kept.append((start, len(text.characters)))
        return Text(
            "".join(text.characters[begin:end] for begin, end in kept),
            tuple(chain.from_iterable(text.places[begin:end] for begin, end in kept)),
            text.line,
        )


@dataclass(frozen=True, slots=True)
class Option:
    """An option as it is written: its name, where it begins, and the text of its value."""

    name: str
    place: int
    value: Text

    @property
    def is_bare(self) -> bool:
        """Whether it is written without a value."""
        return self.value.place == self.place

    @property
    def position(self) -> Place:
        """The line and column at which it begins."""
        return Place.at(self.value.line, self.place)

    def __str__(self) -> str:
        return f"{DASH}{echo(self.name)} at character {self.place}"


def options(words: Sequence[Text], report: Callable[[Fault], None]) -> Iterator[Option]:
    """The options that words say; what is none is reported.

    The value stands behind `=`, or is the next word if that does not begin with a dash, or else 1.
    """
    ahead = deque(words)
    while ahead:
        found = ahead.popleft()
        dashes = len(found.characters) - len(found.characters.lstrip(DASH))
        name, equals, said = found.characters[dashes:].partition("=")
        if equals:
            value = found.cut(len(found.characters) - len(said))
        elif dashes and name and ahead and not ahead[0].characters.startswith(DASH):
            value = ahead.popleft()
        else:
            value = Text("1", [found.place], found.line)
        if lack := _lack(dashes, name, value):
            message = f"{echo(found.characters)} at character {found.place} {lack}"
            text = echo(found.characters)
            report(Fault(ROOT, "OPTION_INVALID", message, EXPECTED, text, place=found.position()))
        else:
            yield Option(name, found.place, value)


def _lack(dashes: int, name: str, value: Text) -> str:
    """Why a word is no option; empty where it is one."""
    if not dashes:
        return "does not begin with a dash, and no option before it takes it"
    if not name:
        return "names no option"
    return "" if value.characters else "has no value behind the ="


def word(text: str) -> str:
    """A text as one word that is unquoted to it again; bare where that will do."""
    return text if BARE_WORD.fullmatch(text) else _in_quotes(text)


def listed(texts: Iterable[str]) -> str:
    """A list that splits into items which are unquoted to these texts again."""
    items = (text if BARE_ITEM.fullmatch(text) else _in_quotes(text) for text in texts)
    return COMMA.join(items) or NO_ITEM


def _in_quotes(text: str) -> str:
    return QUOTE + SPECIAL.sub(r"\\\g<0>", text) + QUOTE
