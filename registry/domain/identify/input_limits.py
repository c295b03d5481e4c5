"""Refuse at once what is too large, no text, or a list of words."""

from __future__ import annotations

import unicodedata
from itertools import islice

from registry.domain.errors import Code, Fault, Refused

MAX_TEXT = 512 * 1024  # bytes of UTF-8; a machine with 512 threads prints half of that
MAX_WORDS_OF_LINE = 2000  # a line that a tool prints has some 200, the flags of a processor
SAMPLE = 4096  # characters in which signs of other data are counted
ODD_SHARE = 0.1  # of control characters, from which data is no text
MAX_MARKS = 4  # combining marks on one character; more hide what is below
TEXT_CONTROLS = "\t\n\r\f\v\x1b"  # of texts and terminals


def refuse_unreadable(text: str) -> None:
    """Raise `Refused`: TOO_LARGE, or REQUEST_INVALID for what is no text that a tool prints."""
    size = len(text.encode(errors="surrogatepass"))
    if size > MAX_TEXT:
        raise Refused(
            Code.TOO_LARGE, f"The text has {size} bytes: at most {MAX_TEXT} are read. Paste a part."
        )
    if not text.strip():
        raise _refusal("is empty", "a text that describes a machine")
    if _is_binary(text):
        raise _refusal("is no text: it has control characters", "text, not the bytes of a file")
    if _hides_characters(text):
        raise _refusal(
            "hides or stacks characters",
            "text without characters that change what others look like",
        )
    if _is_list_of_words(text):
        raise _refusal(
            f"has a line of {MAX_WORDS_OF_LINE} words or more", "what a tool prints, in its lines"
        )


def _refusal(problem: str, expected: str) -> Refused:
    message = f"The text {problem}."
    fault = Fault("/text", Code.REQUEST_INVALID, message.rstrip("."), expected)
    return Refused(Code.REQUEST_INVALID, message, faults=[fault])


def _is_binary(text: str) -> bool:
    sample = text[:SAMPLE]
    odd = sum(
        character == "\ufffd"
        or (unicodedata.category(character) == "Cc" and character not in TEXT_CONTROLS)
        for character in sample
    )
    return odd > ODD_SHARE * len(sample) or any(
        "\ud800" <= character <= "\udfff" for character in text
    )


def _hides_characters(text: str) -> bool:
    """Return whether characters reverse the direction of others, or stack marks on one."""
    if any(character in BIDIRECTIONAL for character in text):
        return True
    if text.isascii():
        return False
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > MAX_MARKS:
            return True
    return False


BIDIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _is_list_of_words(text: str) -> bool:
    lines = (line for line in text.splitlines() if len(line) > MAX_WORDS_OF_LINE)
    return any(
        len(line.split(None, MAX_WORDS_OF_LINE)) >= MAX_WORDS_OF_LINE
        for line in islice(lines, 1000)
    )
