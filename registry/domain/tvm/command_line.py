r"""The command line syntax that TVM accepted for targets until 0.23: words, quotes and lists.

Words end at spaces and items of a list at commas, outside quotes only; `'` opens and closes a
quote; `\c` is kept together and never splits. Each level of nesting removes one level of quotes.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from registry.domain.errors import Fault, TextPosition, echo
from ttag_rules.pointer import ROOT

SPACE, COMMA, QUOTE, ESCAPE, DASH = " ", ",", "'", "\\", "-"
TOKEN = re.compile(r"\\.|[\\' ,]", re.DOTALL)
QUOTED = re.compile(r"'[^'\\]*(?:\\.[^'\\]*)*'", re.DOTALL)
SPECIAL = re.compile(r"['\\]")
BARE_WORD = re.compile(r"[^\s'\\]+")
BARE_ITEM = re.compile(r"[^\s'\\,]+")
WHITE_SPACE = re.compile(r"\s")
NEXT_WORD = re.compile(r"(\s*)([^\s,]*)")
DOUBLE_QUOTED = re.compile(r"""(?<==)"([^"'\\{}]*)"(?=[\s,]|\Z)""")
EXPECTED = "an option such as -mcpu=cortex-a53"
NO_ITEM = COMMA  # a list without items: empty items vanish


class Unreadable(Exception):
    """A text that cannot be parsed, with the fault that explains it."""

    def __init__(
        self,
        code: str,
        message: str,
        expected: str,
        found: str = "",
        place: TextPosition | None = None,
    ) -> None:
        super().__init__(message)
        self.fault = Fault(ROOT, code, message, expected, found, place=place)


@dataclass(frozen=True, slots=True)
class Text:
    """A part of a command line; `places` holds the offset in `line` of each of its characters."""

    characters: str
    places: Sequence[int]
    line: str

    @classmethod
    def of(cls, line: str) -> Text:
        """Create the text of a whole command line."""
        return cls(line, range(len(line)), line)

    @classmethod
    def of_shell_line(cls, line: str) -> Text:
        """Create the text of a line as typed into a shell: white space, and `"` around a value."""
        characters = WHITE_SPACE.sub(SPACE, line)
        if QUOTE not in line:
            characters = DOUBLE_QUOTED.sub(rf"{QUOTE}\1{QUOTE}", characters)
        return cls(characters, range(len(line)), line)

    @property
    def place(self) -> int:
        """The offset of its first character; 0 if it is empty."""
        return self.places[0] if self.places else 0

    def position(self, index: int = 0) -> TextPosition:
        """Return the line and column of one of its characters."""
        return TextPosition.from_offset(self.line, self.places[index] if self.places else 0)

    def cut(self, start: int, end: int | None = None) -> Text:
        """Return a slice of the text."""
        return Text(self.characters[start:end], self.places[start:end], self.line)

    def stripped(self) -> Text:
        """Return the text without surrounding white space."""
        start = len(self.characters) - len(self.characters.lstrip())
        return self.cut(start, start + len(self.characters.strip()))

    def split(self, separator: str) -> list[Text]:
        """Split at a separator outside quotes; drop empty parts. Raises `Unreadable`."""
        parts: list[Text] = []
        start, opened = 0, -1
        for match in TOKEN.finditer(self.characters):
            token, offset = match.group(), match.start()
            if token == QUOTE:
                opened = offset if opened < 0 else -1
            elif token == separator and opened < 0:
                parts.append(self.cut(start, offset))
                start = match.end()
        if opened >= 0:
            message = f"the quote at character {self.places[opened]} is not closed"
            expected = "a second quote; as a character, \\'"
            raise Unreadable("QUOTE_OPEN", message, expected, QUOTE, self.position(opened))
        parts.append(self.cut(start))
        return [part for part in parts if part.characters]

    def unquoted(self) -> Text:
        r"""Remove one level of quotes. Raises `Unreadable`.

        If quotes enclose all of the text, they are removed; then `\c` outside quotes becomes `c`.
        """
        text = self.cut(1, -1) if QUOTED.fullmatch(self.characters) else self
        kept: list[tuple[int, int]] = []
        start, in_quotes = 0, False
        for match in TOKEN.finditer(text.characters):
            token, offset = match.group(), match.start()
            if token == ESCAPE:
                message = f"the \\ at character {text.places[offset]} escapes nothing"
                expected = "a character after it"
                raise Unreadable("QUOTE_OPEN", message, expected, ESCAPE, text.position(offset))
            if token == QUOTE:
                in_quotes = not in_quotes
            elif token[0] == ESCAPE and not in_quotes:
                kept.append((start, offset))
                start = offset + 1
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
    """An option as written: its name, its offset, and the text of its value."""

    name: str
    place: int
    value: Text

    @property
    def is_bare(self) -> bool:
        """True if it is written without a value."""
        return self.value.place == self.place

    @property
    def is_in_double_quotes(self) -> bool:
        """True if the value is in double quotes, which were read as quotes."""
        return self.value.characters[:1] == QUOTE != self.value.line[self.value.place]

    @property
    def position(self) -> TextPosition:
        """The line and column of its first character."""
        return TextPosition.from_offset(self.value.line, self.place)

    def __str__(self) -> str:
        return f"{DASH}{echo(self.name)} at character {self.place}"


def split_targets(line: Text, is_target: Callable[[str], bool]) -> list[Text]:
    """Split a line at the commas that separate targets, as TVM's driver for command lines does.

    A comma separates targets unless it is quoted, is followed by nothing or by an option, or
    continues a value: the list `-mattr=+a,+b`, or the tag `vendor/ddr3,128bit` if `is_target` does
    not accept what follows it.
    """
    characters, parts, start = line.characters, [], 0
    word, previous, is_quoted = 0, "", False
    for match in TOKEN.finditer(characters):
        token, offset, end = match.group(), match.start(), match.end()
        if token == QUOTE:
            is_quoted = not is_quoted
        elif is_quoted or token[0] == ESCAPE:
            continue
        elif token == SPACE:
            previous = characters[word:offset] or previous
            word = end
        elif _separates_targets(characters, word, offset, previous, is_target):
            parts.append(line.cut(start, offset))
            start, word, previous = end, end, ""
    return [*parts, line.cut(start)]


def _separates_targets(
    line: str, word: int, comma: int, previous: str, is_target: Callable[[str], bool]
) -> bool:
    """Return whether the comma of the word that begins at `word` separates targets."""
    following = NEXT_WORD.match(line, comma + 1)
    assert following  # noqa: S101 - the expression matches any text
    spaces, name = following.groups()
    if not name or name[0] in (DASH, COMMA):
        return False
    if line.startswith(DASH, word):
        is_value = line.find("=", word, comma) >= 0
    else:
        is_value = previous.startswith(DASH) and "=" not in previous
    if is_value or (line.find("/", word, comma) >= 0 and not is_target(name)):
        return bool(spaces)
    return True


def parse_options(words: Sequence[Text], report: Callable[[Fault], None]) -> Iterator[Option]:
    """Yield the options that words state; report words that are not options.

    The value is the text after `=`, which may be empty; otherwise the next word, unless it starts
    with a dash; otherwise 1.
    """
    remaining = deque(words)
    while remaining:
        first = remaining.popleft()
        dashes = len(first.characters) - len(first.characters.lstrip(DASH))
        name, equals, text = first.characters[dashes:].partition("=")
        if equals:
            value = first.cut(len(first.characters) - len(text))
        elif dashes and name and remaining and not remaining[0].characters.startswith(DASH):
            value = remaining.popleft()
        else:
            value = Text("1", [first.place], first.line)
        if problem := _option_problem(dashes, name):
            message = f"{echo(first.characters)} at character {first.place} {problem}"
            actual = echo(first.characters)
            report(Fault(ROOT, "OPTION_INVALID", message, EXPECTED, actual, place=first.position()))
        else:
            yield Option(name, first.place, value)


def _option_problem(dashes: int, name: str) -> str:
    """Return the reason why a word is not an option; empty if it is one."""
    if not dashes:
        return "does not begin with a dash and is not an option's value"
    return "" if name else "has no option name"


def quote_word(text: str) -> str:
    """Quote a text as one word, if necessary, so that unquoting it gives the text."""
    return text if BARE_WORD.fullmatch(text) else _quote(text)


def quote_list(texts: Iterable[str]) -> str:
    """Join texts into a list, quoted so that splitting and unquoting gives the texts."""
    items = (text if BARE_ITEM.fullmatch(text) else _quote(text) for text in texts)
    return COMMA.join(items) or NO_ITEM


def _quote(text: str) -> str:
    return QUOTE + SPECIAL.sub(r"\\\g<0>", text) + QUOTE
