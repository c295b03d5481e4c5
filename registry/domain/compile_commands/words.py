"""Split command lines into words, as a shell does, with the places of the words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from registry.domain.errors import Fault, TextPosition, echo
from ttag_rules.pointer import ROOT

WORD = re.compile(
    r"""(?P<comment>(?<!\S)#[^\n]*)|(?P<end>;|&&|\|\|?|&|\n(?!\s*-))|(?P<word>(?:'[^']*+'|"(?>(?:[^"\\]|\\.)*)"|\\.|[^\s;&|'"\\])+)""",
    re.DOTALL,
)
QUOTED = re.compile(r"""'([^']*+)'|"((?>(?:[^"\\]|\\.)*))"|\\(.)""", re.DOTALL)
EXPECTED = "flags such as --target=aarch64-linux-gnu -mcpu=cortex-a72, or nvcc -arch=sm_80"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command without its quotes; `offset` is where it begins in the text."""

    text: str
    offset: int

    @property
    def span(self) -> tuple[int, int]:
        """Return the place of the word in the text."""
        return self.offset, self.offset + len(self.text)


class CommandError(Exception):
    """A command that is not read, with the fault that explains it."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault

    @classmethod
    def at(cls, word: Word, code: str, message: str, line: str, expected: str) -> CommandError:
        """Return an error about a word of a line."""
        place = TextPosition.from_offset(line, word.offset)
        message = f"{message} (character {word.offset})"
        return cls(Fault(ROOT, code, message, expected, echo(word.text), place=place))


def split_commands(text: str) -> Iterator[list[Word]]:
    """Yield the commands of a text: they end at `;`, `&`, `|` and at line breaks.

    A line that begins with a flag continues the command before it. Comments are no words.
    """
    words: list[Word] = []
    for match in WORD.finditer(text.replace("\\\n", "  ")):
        if match["end"]:
            yield words
            words = []
        elif match["word"]:
            words.append(Word(_unquoted(match["word"]), match.start()))
    yield words


def _unquoted(text: str) -> str:
    return QUOTED.sub(lambda match: next(filter(None, match.groups()), ""), text)
