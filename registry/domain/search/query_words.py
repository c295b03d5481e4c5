"""Reads a search: the words that decide, those that only rank, and conditions on facts.

Decision 143: a word with digits is never mended, shortened or left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from registry.domain.search.search_terms import MAX_TERM, PLUS, has_digit, split_words
from registry.domain.search.stated_numbers import StatedNumber
from registry.domain.search.word_lists import (
    BESIDE_NAMES,
    CARD_MAKERS,
    INTERFACES,
    STOP_WORDS,
    VERSIONED,
)

MAX_QUERY = 200  # characters; the rest of a longer query is left out
MAX_WORDS = 8
MAX_RUN = 16  # words between two spaces that are one name
MAX_WEAK = 2  # digits that alone name nothing: the 5 of a Raspberry Pi 5

# Latin letters with marks part words, as in the terms of tags.
WORD = re.compile(r"(?:[a-z0-9]|[^\W_\u0000-\u024f])+")
TRADEMARKS = re.compile(r"\((?:r|tm|c)\)|[®™©]", re.IGNORECASE)
FREQUENCY = re.compile(r"@\s*[0-9.]+\s*[kmg]hz", re.IGNORECASE)
GENERATION = re.compile(r"\b\d\d?(?:st|nd|rd|th)[ -]gen(?:eration)?\b", re.IGNORECASE)
# Their numbers say the generation, too. Of others it is a part of the name: iPhone SE 3rd gen.
OF_GENERATIONS = re.compile(r"\b(?:amd|core|epyc|i[3579]|intel|ryzen|xeon)\b", re.IGNORECASE)
QUOTED = re.compile(r'(?<!\S)"([^"]*)"')  # `14" or 16"` are inches
OPTION = re.compile(r"(?<!\S)-{1,2}[a-z_-]+=", re.IGNORECASE)  # of a compiler: `-mcpu=`

SPELLINGS: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (re.compile(pattern, re.IGNORECASE), text)
    for pattern, text in (
        (r"\brpi[ -]?(?=\d|\b)", "raspberry pi "),
        (r"\brasp(?:i|[ -]?pi)[ -]?(?=\d|\b)", "raspberry pi "),
        (r"\braspberrypi[ -]?(?=\d)", "raspberry pi "),
        (r"\bmbp[ -]?(?=\d|\b)", "macbook pro "),  # of `mba`, AMD's own cards are the other meaning
        (r"\braspberry[ -]?(?=\d)", "raspberry pi "),
        (r"\bextreme edition\b", " "),  # of a Core i9-7980XE, whose number says it
        # `16G` of cards; of a cloud's `a3 ultragpu 8g` it is the number of them.
        (r"(?<![\w.-])(?<!\wgpu )(6|8|10|11|12|16|20|24|32|40|48|80)g(?![\w-])", r"\1gb"),
        (r"(?<!\S)(?:ml|cache|db)\.(?=[a-z])", ""),  # AWS services, before an instance type
        (r"(?<= )w/ ?radeon\b.*", " "),  # the GPU of a processor
        (r"\bradeon(?= instinct\b)", " "),  # what Instincts were called first
        (r" opengl engine$", ""),  # how macOS calls a GPU
        (r"\bmodel a\b(?!\+)", "model-a"),  # no article
        (r"(?:(?<=g\d\d )|(?<=[gt]\d\d\d ))m[cp]\d\d?\b", " "),  # cores of a Mali
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
            # The number of pieces: before a name, not in it, as the 13x of `mi 13x pro`.
            r"(?<!\w )[1-9]\d?[ ]?x(?=\s)|[1-9]\d?[ ]?x(?=\s+\w*\d)|(?<=\d )x[248]",
            r"\d+(?:\.\d+)?[ ]?(?:[kmg]hz|ti?b|nm|mm|cm|fps|mah|mp)",
            r"(?:1080|1440|2160)p|\d{3,4}x\d{3,4}",  # of screens
            r"(?:8|16|32|64|96|128|160|192|256|320|384|512)[ -]?bit",  # of buses
            r"\d+(?:\.\d+)?[ ]?[gmk]i?b[ ]?(?:ssd|hdd|nvme|storage|emmc|ufs|rom)",
        )
    )
    + r")"
    + _END,
    re.IGNORECASE,
)


class WordRole(Enum):
    """The part that a word plays in a search."""

    DECIDES = "has digits: a tag without it is another machine"
    NAMES = "letters only: may be mended, or left out if no tag has it"
    RANKS = "a tag with it comes first, one without it is not excluded"


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of a search. `spelling` is what people typed."""

    text: str
    role: WordRole
    spelling: str
    is_inner: bool = False  # follows another without a blank: the c3 of `esp32-c3`

    @property
    def is_weak(self) -> bool:
        """Return whether the word names something only together with its neighbours."""
        return self.text.isdigit() and len(self.text) <= MAX_WEAK


@dataclass(frozen=True, slots=True)
class Query:
    """A search in words, by the blanks between them. `ignored` are versions and interfaces.

    `unread` is what a longer text has besides.
    """

    chunks: tuple[tuple[QueryWord, ...], ...]
    numbers: tuple[StatedNumber, ...]
    ignored: tuple[str, ...]
    unread: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[QueryWord, ...]:
        return tuple(word for chunk in self.chunks for word in chunk)


def plain_query(text: str) -> str:
    """Return a search with the digits and letters of Latin in place of wide and other ones."""
    wide = unicodedata.normalize("NFKC", TRADEMARKS.sub(" ", text))
    return "".join(str(unicodedata.decimal(character, character)) for character in wide)


def query_words(text: str) -> list[str]:
    """Return the words of a search. Letters of other scripts are parts of them, which no tag has.

    The 9600 of a 天玑9600 alone would be that of a Core i5-9600.
    """
    return [word[:MAX_TERM] for word in WORD.findall(PLUS.sub(" plus", text.lower()))]


def read_words(text: str) -> Query:
    """Return the words of a search, which may have been pasted from anywhere."""
    text, *unread = _within_limit(text)
    text = OPTION.sub(" ", QUOTED.sub(r" \1 ", text))
    text = FREQUENCY.sub(" ", TRADEMARKS.sub(" ", text))
    for pattern, spelling in SPELLINGS:
        text = pattern.sub(spelling, text)
    ignored = tuple(_ignored(text))
    numbers = tuple(StatedNumber.all_in(IGNORED.sub(" ; ", text)))
    ranking = {*ignored, *(number.text for number in numbers)}
    chunks = tuple(_chunks(text, ranking))
    return Query(chunks, numbers, ignored, tuple(unread))


def _within_limit(text: str) -> tuple[str, ...]:
    """Return the whole words of a text that are within the limit, and the other ones."""
    if len(text) <= MAX_QUERY:
        return (text,)
    end = text.rfind(" ", 0, MAX_QUERY + 1)
    end = end if end >= 0 else MAX_QUERY
    return text[:end], *text[end:].split()


def _ignored(text: str) -> Iterator[str]:
    """Yield the versions, interfaces and measures of a text, and generations beside a number."""
    patterns = [IGNORED, *([GENERATION] if OF_GENERATIONS.search(text) else [])]
    yield from (match.group().strip() for each in patterns for match in each.finditer(text))


def _chunks(text: str, ranking: set[str]) -> Iterator[tuple[QueryWord, ...]]:
    """Yield the words between two blanks; those of the phrases in `ranking` only rank."""
    pattern = "|".join(re.escape(phrase) for phrase in sorted(ranking, key=len, reverse=True))
    pieces = re.split(rf"({_START}(?:{pattern}){_END})", text) if ranking else [text]
    for place, piece in enumerate(pieces):
        if place % 2:
            word = "".join(split_words(piece))[:MAX_TERM]
            yield (QueryWord(word, WordRole.RANKS, piece.strip()),)
            continue
        for chunk in piece.split():
            words = tuple(
                QueryWord(word, _role(word), word, is_inner=index > 0)
                for index, word in enumerate(query_words(chunk))
            )
            for start in range(0, len(words), MAX_RUN):
                yield words[start : start + MAX_RUN]


def _role(word: str) -> WordRole:
    if has_digit(word):
        return WordRole.DECIDES
    return WordRole.RANKS if word in BESIDE_NAMES | CARD_MAKERS | STOP_WORDS else WordRole.NAMES
