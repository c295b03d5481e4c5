"""Series of products: machines whose names begin as that of one that no tag describes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from registry.domain.search.search_terms import MAX_JOINED, has_digit, split_words
from registry.domain.search.word_lists import SUFFIXES

LAST_DIGITS = 2  # of a number, which tell the members of a series apart
NUMBER = re.compile(r"[0-9]+")
NOT_WRITTEN = re.compile(r"[^\w-]+")  # between the words of a name
LAST_NUMBER = re.compile(r"[0-9]+(?=[^0-9]*\Z)")
# Shorter beginnings are shared by chance: the b1 of a B150 begins a B100 and a Pentium B150.
MIN_LETTERS, MIN_WITH_DIGIT = 4, 3


@dataclass(frozen=True, slots=True)
class Series:
    """The beginning of the names of a series, in words and as one: `rtx 50` and `rtx50`.

    `name` is that of the member that was looked for: `rtx 5095`. Names go on with as many digits as
    it has; with any number, `digits` 0, after a line such as `raspberry pi`.
    """

    title: str
    prefix: str
    name: str
    digits: int

    @property
    def rest(self) -> str:
        """Return what the names of all members have after the beginning."""
        return {0: "a number", 1: "one more digit"}.get(self.digits, f"{self.digits} more digits")

    @property
    def is_numbered(self) -> bool:
        """Return whether the beginning has a digit; others are lines."""
        return has_digit(self.prefix)

    def has(self, term: str) -> bool:
        """Return whether a term is the name of a member, or begins with one."""
        digits = NUMBER.match(term.removeprefix(self.prefix))
        if not term.startswith(self.prefix) or digits is None:
            return False
        return not self.digits or len(digits[0]) == self.digits


def series_of(text: str, word: str) -> tuple[Series, ...]:
    """Return the series that a word with digits of a text would belong to, the narrowest first.

    `5095` after `geforce rtx` is of `geforce rtx 50` and of `rtx 50`; the 6 after `raspberry pi` is
    of `raspberry pi`.
    """
    words = split_words(text)
    if word not in words:
        return ()
    before = words[: words.index(word)]
    most = min(MAX_JOINED - 1, len(before))
    series = (_series(text, before[len(before) - count :], word) for count in range(most, -1, -1))
    # Without digits, fewer words name another line: an Arduino Nano is no Jetson Nano.
    return tuple(
        each for left_out, each in enumerate(series) if each and (each.is_numbered or not left_out)
    )


def _series(text: str, before: list[str], word: str) -> Series | None:
    """Return the series of a word after some others; None if too little begins its names."""
    stem, digits = _stem(word)
    words = [*before, *([stem] if stem else [])]
    prefix = "".join(words)
    least = MIN_WITH_DIGIT if has_digit(prefix) else MIN_LETTERS
    if len(prefix) < least or not prefix[0].isalpha() or words[0] in SUFFIXES:
        return None
    if words[0][-1].isdigit() and len(stem) == 1 and stem.isdigit():  # c3 320 is no c3320
        return None
    name = _as_written(text, [*before, word])
    return Series(_as_written(text, words), prefix, name, digits if has_digit(prefix) else 0)


def _stem(word: str) -> tuple[str, int]:
    """Return a word up to the last two digits of its last number, and how many they are."""
    number = LAST_NUMBER.search(word)
    if number is None:
        return word, 0
    start = max(number.start(), number.end() - LAST_DIGITS)
    return word[:start], number.end() - start


def _as_written(text: str, words: list[str]) -> str:
    """Return words as they stand in a text, with the hyphens between them."""
    between = r"[\W_]+".join(map(re.escape, words))
    written = re.search(between, text, re.IGNORECASE)
    name = NOT_WRITTEN.sub(" ", written[0].lower()) if written else " ".join(words)
    return " ".join(name.split())
