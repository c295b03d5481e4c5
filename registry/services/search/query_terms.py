"""The words of a search, with the terms that each of them can match."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from registry.domain.search.query_words import WordRole
from registry.domain.search.search_terms import MAX_TERM
from registry.domain.search.stated_numbers import YEAR, StatedNumber
from registry.domain.search.word_lists import STOP_WORDS

MAX_COMPLETIONS = 50  # terms, the most common ones
MAX_SERIES = 2  # digits of a beginning that more digits follow: 97 of 9754, but 409 is no 4090

TRAILING_DIGITS = re.compile(r"[0-9]*\Z")
LAST_LETTERS = re.compile(r"[0-9][a-z]+\Z")  # of a number, which end with it

Counts = Mapping[str, int]  # how many tags have a term


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a search with the terms that it can match, and how many tags have each.

    `joined` are runs of words that hold this one, as `cortexm7` holds `cortex`. `completed` are
    terms that begin with one of `prefixes`, which are empty if the word is not completed.
    `spelling` is the word with the hyphens that it may have, as `cortex-m7`.
    """

    text: str
    terms: Counts = field(default_factory=dict)
    joined: Counts = field(default_factory=dict)
    completed: Counts = field(default_factory=dict)
    prefixes: tuple[str, ...] = ()
    is_corrected: bool = False
    spelling: str = ""
    role: WordRole = WordRole.NAMES
    runs: tuple[str, ...] = ()  # that hold the word, whether tags have them or not
    is_alone: bool = True  # a weak word with a neighbour names nothing alone
    is_bound: bool = False  # belongs to a number beside it: the maker's word of `a52`
    is_typed: bool = False  # it may go on in any way

    @property
    def counts(self) -> Counts:
        """Return all terms, the best first, with the number of tags that have them."""
        return {**self.joined, **self.terms, **self.completed}

    @property
    def tags(self) -> int:
        """Return an upper bound of the number of tags that have the word."""
        return sum(self.counts.values())

    @property
    def decides(self) -> bool:
        """Return whether a tag without the word is none of the results."""
        return self.role is not WordRole.RANKS

    @property
    def is_beginning(self) -> bool:
        """Return whether the word is the beginning of terms, which names a group."""
        return bool(self.completed) and not self.is_typed

    def accepts(self, term: str) -> bool:
        """Return whether a term is one that the word can match."""
        return term in self.joined or term in self.terms or self.completes_to(term)

    def is_in(self, terms: Iterable[str]) -> bool:
        """Return whether one of some terms is the word as it stands."""
        return any(term in self.terms or term in self.joined for term in terms)

    def is_exhaustive(self, tags: int) -> bool:
        """Return whether at most so many tags have the word, all of which have a known term."""
        return self.tags <= tags and len(self.completed) < MAX_COMPLETIONS

    def completes_to(self, term: str) -> bool:
        """Return whether the word is the beginning of a term."""
        if self.is_typed:
            return any(term.startswith(prefix) for prefix in self.prefixes)
        return any(continues(prefix, term) for prefix in self.prefixes)


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The words of a search; `whole` is all of them as one term.

    No tag has the `lacking` words, which decide; those in `unknown` were left out. `numbers` are
    compared with facts, `ignored` are versions and interfaces, `unread` what is beyond the limits.
    A search that is being typed may go on with any word.
    """

    words: tuple[Word, ...]
    whole: str
    unknown: tuple[str, ...]
    lacking: tuple[Word, ...] = ()
    numbers: tuple[StatedNumber, ...] = ()
    ignored: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    is_typed: bool = False

    @property
    def unknown_number(self) -> str:
        """Return the word with digits that tells most why there is no tag; empty without one.

        It is the first that no tag has, or else the last one of the search.
        """
        lacking = (word.text for word in self.lacking if word.role is WordRole.DECIDES)
        numbers = (word.text for word in reversed(self.words) if word.role is WordRole.DECIDES)
        return next(chain(lacking, numbers), "")

    @property
    def names(self) -> tuple[str, ...]:
        """Return the texts that are the whole name of a tag that matches exactly."""
        if self.numbers or self.ignored:
            return (self.whole,)
        return self.whole, "".join(word.text for word in self.deciding)[:MAX_TERM]

    @property
    def deciding(self) -> tuple[Word, ...]:
        """Return the words that results must have.

        If none decides, these are all that are neither numbers nor words such as `with`, or else
        all.
        """
        deciding = tuple(word for word in self.words if word.decides)
        plain = (word for word in self.words if word.text not in STOP_WORDS)
        return deciding or tuple(w for w in plain if w.spelling not in self.measures) or self.words

    # Decision 189: `ryzen 16 cores` names no machine by the 16.
    @property
    def measures(self) -> frozenset[str]:
        """Return the numbers that only facts are compared with; a year may belong to a name."""
        return frozenset(number.text for number in self.numbers if number.title != YEAR)


def continues(prefix: str, term: str) -> bool:
    """Return whether a term is longer than a prefix, and what it adds begins something new.

    Digits may follow a letter, or the first two digits of a number; no letters follow those of one.
    """
    if len(term) <= len(prefix) or not term.startswith(prefix):
        return False
    if LAST_LETTERS.search(prefix) and term[len(prefix)].isalpha():  # 3000m is no 3000mobile
        return False
    if prefix[-1].isalpha() or term[len(prefix)].isalpha():
        return True
    match = TRAILING_DIGITS.search(prefix)
    return match is not None and len(match.group()) <= MAX_SERIES
