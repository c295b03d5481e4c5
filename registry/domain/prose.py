"""Text and links that people leave for other people: messages, reasons, titles, labels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry.domain.errors import Code, Fault, echo
from registry.domain.schema import DEFS

# What would not be seen as it is: control characters, further ends of lines, and the marks that
# turn the direction of the text after them. Joiners stay: words and emoji are written with them.
HIDDEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
BREAK = re.compile("[\t\n]")
LINK = re.compile(DEFS["url"]["pattern"])
MAX_LINK: int = DEFS["url"]["maxLength"]


def tidy(text: str) -> str:
    """A text as it is kept: without white space around it."""
    return text.strip()


def faults(
    text: str, pointer: str, *, most: int, needed: bool = False, lines: bool = False
) -> Iterator[Fault]:
    """Why a text cannot stand where it is meant to; nothing where it can. At most one fault.

    It has at most `most` characters, and where it is `needed` something to read. With `lines` it
    may have several, and tabs.
    """
    expected = f"1 to {most} characters" if needed else f"at most {most} characters"
    expected += ", no control characters" if lines else ", in one line, no control characters"
    if problem := _problem(text, most=most, needed=needed, lines=lines):
        yield Fault(pointer, Code.REQUEST_INVALID, problem, expected, echo(text))


def _problem(text: str, *, most: int, needed: bool, lines: bool) -> str:
    if len(text) > most:
        return f"{len(text)} characters are too many"
    if needed and not any(map(_is_seen, text)):
        return "a text that can be read is needed"
    hidden = HIDDEN.search(text) or (None if lines else BREAK.search(text))
    if hidden:
        return f"U+{ord(hidden[0]):04X} is no character of such a text"
    return ""


def _is_seen(character: str) -> bool:
    return character.isprintable() and not character.isspace()


def link_faults(url: str, pointer: str, *, most: int = MAX_LINK) -> Iterator[Fault]:
    """Why a text is no link that a page may show: an https URL. At most one fault."""
    if len(url) > most or not LINK.fullmatch(url):
        expected = f"an https URL of at most {most} characters"
        message = f"{echo(url)} is no https URL"
        yield Fault(pointer, Code.REQUEST_INVALID, message, expected, echo(url))
