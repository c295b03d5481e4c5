"""Check text and links that users enter: messages, reasons, titles, labels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry.domain.errors import Code, Fault, echo, refuse_all
from registry.domain.kinds.schema import DEFS

# Characters that display misleadingly: control characters, other line separators, and marks that
# change the direction of text. Joiners are allowed: some scripts and emoji need them.
HIDDEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
BREAK = re.compile("[\t\n]")
LINE_END = re.compile("\r\n?")  # of browsers, which send CRLF as HTML demands, and of old files
LINK = re.compile(DEFS["url"]["pattern"])
MAX_REASON = 500  # characters; warnings show it next to the resolution
MAX_LINK: int = DEFS["url"]["maxLength"]


def normalize_lines(text: str) -> str:
    """Return a text whose lines end with LF, as stored text does."""
    return LINE_END.sub("\n", text)


def normalize_text(text: str) -> str:
    """Return a text as it is checked and stored: lines end with LF, white space around is gone."""
    return normalize_lines(text).strip()


def check_comment(text: str, *, max_length: int, is_required: bool) -> str:
    """Return the `text` of a request, normalized; it may have several lines.

    Raises `Refused` (REQUEST_INVALID) if it is not acceptable.
    """
    text = normalize_text(text)
    refuse_all(
        text_faults(
            text, "/text", max_length=max_length, is_required=is_required, is_multiline=True
        )
    )
    return text


def check_reason(reason: str) -> str:
    """Return the `reason` of a request, normalized. Raises `Refused` (REQUEST_INVALID)."""
    reason = normalize_text(reason)
    refuse_all(text_faults(reason, "/reason", max_length=MAX_REASON, is_required=True))
    return reason


def text_faults(
    text: str,
    pointer: str,
    *,
    max_length: int,
    is_required: bool = False,
    is_multiline: bool = False,
) -> Iterator[Fault]:
    """Yield at most one fault: the reason why a text is not acceptable.

    `is_required` demands a visible character, `is_multiline` allows line breaks and tabs.
    """
    expected = f"{'1 to' if is_required else 'at most'} {max_length} characters"
    expected += (
        ", no control characters" if is_multiline else ", in one line, no control characters"
    )
    if problem := _problem(text, max_length, is_required=is_required, is_multiline=is_multiline):
        yield Fault(pointer, Code.REQUEST_INVALID, problem, expected, echo(text))


def _problem(text: str, max_length: int, *, is_required: bool, is_multiline: bool) -> str:
    if len(text) > max_length:
        return f"{len(text)} characters are too many"
    if is_required and not any(map(_is_visible, text)):
        return "visible text is required"
    return character_problem(text, is_multiline=is_multiline)


def character_problem(text: str, *, is_multiline: bool = False) -> str:
    """Return which character of a text is not allowed; empty if all are."""
    hidden = HIDDEN.search(text) or (None if is_multiline else BREAK.search(text))
    if hidden and hidden[0] == "\n":
        return "a line break is not allowed here"
    return f"U+{ord(hidden[0]):04X} is not allowed here" if hidden else ""


def _is_visible(character: str) -> bool:
    return character.isprintable() and not character.isspace()


def link_faults(url: str, pointer: str, *, max_length: int = MAX_LINK) -> Iterator[Fault]:
    """Yield at most one fault, if a text is not an https URL."""
    if len(url) > max_length or not LINK.fullmatch(url):
        expected = f"an https URL of at most {max_length} characters"
        message = f"{echo(url) or '(empty)'} is not an https URL"
        yield Fault(pointer, Code.REQUEST_INVALID, message, expected, echo(url))
