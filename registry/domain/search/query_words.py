"""Reads a search: the words that decide, those that only rank, and conditions on facts.

Decision 143: a word with digits is never mended, shortened or left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from registry.domain.search.search_terms import MAX_TERM, split_words
from registry.domain.search.stated_numbers import StatedNumber
from registry.domain.search.word_lists import (
    BESIDE_NAMES,
    CARD_MAKERS,
    INTERFACES,
    STOP_WORDS,
    VERSIONED,
)

MAX_QUERY = 200  # characters; the rest of a longer query is ignored
MAX_WORDS = 8
MAX_RUN = 16  # words between two spaces; the rest is ignored
MAX_WEAK = 2  # digits that alone name nothing: the 5 of a Raspberry Pi 5

TRADEMARKS = re.compile(r"\((?:r|tm|c)\)|[®™©]", re.IGNORECASE)
FREQUENCY = re.compile(r"@\s*[0-9.]+\s*[kmg]hz", re.IGNORECASE)
OPTION = re.compile(r"(?<!\S)-{1,2}[a-z_-]+=", re.IGNORECASE)  # of a compiler: `-mcpu=`

SPELLINGS: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (re.compile(pattern, re.IGNORECASE), text)
    for pattern, text in (
        (r"\brpi[ -]?(?=\d|\b)", "raspberry pi "),
        (r"\braspberrypi[ -]?(?=\d)", "raspberry pi "),
        (r"\braspberry[ -]?(?=\d)", "raspberry pi "),
        (r"(?<=\d)[ -]mobile\b", " laptop"),
        (r"(?<![\w.])(?:cortex[ -]?)?m4f\b", "cortex-m4"),  # of Arm's cores, only this F is usual
    )
)
_START, _END = r"(?<![\w.+-])", r"(?![\w.+]|-\w)"
IGNORED = re.compile(
    _START
    + r"(?:"
    + "|".join(
        (
            rf"(?:{'|'.join(sorted(VERSIONED, key=len, reverse=True))})[ -]?v?\d+(?:\.[\dx]+)*\+?",
            *INTERFACES,
            r"\d\d?(?:st|nd|rd|th)[ -]gen(?:eration)?",
            r"[1-9]\d?[ ]?x(?=\s)|(?<=\d )x[248]",  # how many of them
            r"\d+(?:\.\d+)?[ ]?(?:[kmg]hz|ti?b|nm|mm|cm|inch|\"|fps|mah|mp)",
            r"(?:1080|1440|2160)p|\d{3,4}x\d{3,4}|\d+[ -]?bit",  # of screens and buses
            r"\d+(?:\.\d+)?[ ]?[gmk]i?b[ ]?(?:ssd|hdd|nvme|storage|emmc|ufs|rom)",
        )
    )
    + r")"
    + _END,
    re.IGNORECASE,
)


class Role(Enum):
    """The part that a word plays in a search."""

    DECIDES = "has digits: a tag without it is another machine"
    NAMES = "letters only: may be mended, or left out if no tag has it"
    RANKS = "a tag with it comes first, one without it is not excluded"


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of a search. `spelling` is what people typed."""

    text: str
    role: Role
    spelling: str
    is_inner: bool = False  # follows another without a blank: the c3 of `esp32-c3`

    @property
    def is_weak(self) -> bool:
        """Return whether the word names something only together with its neighbours."""
        return self.text.isdigit() and len(self.text) <= MAX_WEAK


@dataclass(frozen=True, slots=True)
class Query:
    """A search in words, by the blanks between them. `ignored` are versions and interfaces."""

    chunks: tuple[tuple[QueryWord, ...], ...]
    numbers: tuple[StatedNumber, ...]
    ignored: tuple[str, ...]

    @property
    def words(self) -> tuple[QueryWord, ...]:
        """Return all words in their order."""
        return tuple(word for chunk in self.chunks for word in chunk)


def read_words(text: str) -> Query:
    """Return the words of a search, which may have been pasted from anywhere."""
    text = FREQUENCY.sub(" ", TRADEMARKS.sub(" ", OPTION.sub(" ", text[:MAX_QUERY])))
    for pattern, spelling in SPELLINGS:
        text = pattern.sub(spelling, text)
    ignored = tuple(match.group().strip() for match in IGNORED.finditer(text))
    numbers = tuple(StatedNumber.all_in(IGNORED.sub(" ; ", text)))
    ranking = {*ignored, *(number.text for number in numbers)}
    chunks = tuple(_chunks(text, ranking))
    return Query(chunks, numbers, ignored)


def _chunks(text: str, ranking: set[str]) -> Iterator[tuple[QueryWord, ...]]:
    """Yield the words between two blanks; those of the phrases in `ranking` only rank."""
    pattern = "|".join(re.escape(phrase) for phrase in sorted(ranking, key=len, reverse=True))
    pieces = re.split(rf"({_START}(?:{pattern}){_END})", text) if ranking else [text]
    for place, piece in enumerate(pieces):
        if place % 2:
            word = "".join(split_words(piece))[:MAX_TERM]
            yield (QueryWord(word, Role.RANKS, piece.strip()),)
            continue
        for chunk in piece.split():
            if words := split_words(chunk)[:MAX_RUN]:
                yield tuple(
                    QueryWord(word, _role(word), word, is_inner=index > 0)
                    for index, word in enumerate(words)
                )


def _role(word: str) -> Role:
    if any(character.isdigit() for character in word):
        return Role.DECIDES
    return Role.RANKS if word in BESIDE_NAMES | CARD_MAKERS | STOP_WORDS else Role.NAMES
