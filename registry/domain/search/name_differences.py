"""Says which words of a search a name lacks, and which ones it has in their place or besides."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Self

from registry.domain.names.name_folding import edit_distance
from registry.domain.search.search_terms import has_digit, split_words
from registry.domain.search.word_lists import (
    LINES,
    PREFIXES,
    SAME_SUFFIXES,
    STOP_WORDS,
    SUFFIXES,
)
from registry.domain.search.word_runs import joined, positions_in

FARTHEST = 0.5  # of a word's letters; beyond, another word is no neighbour of it
REVISION = re.compile(r"v[0-9]+")
ORDINAL = re.compile(r"[0-9]{1,2}(?:st|nd|rd|th)?")
# A module of an ESP32-C3 is of another architecture than one of an ESP32.
MODULES = frozenset({"wroom", "wrover"})
OF_MODULE = re.compile(r"[chps][0-9]{1,2}|v[0-9]+")


@dataclass(frozen=True, slots=True)
class NameWords:
    """The words of a tag's name after its namespace, and which of them a search has, by place.

    `texts` are the words of the search.
    """

    namespace: str
    parts: tuple[str, ...]
    covered: frozenset[int]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, tag: str, texts: Sequence[str]) -> Self:
        namespace, _, name = tag.partition("/")
        parts = split_words(name.partition(":")[0])
        same = {SAME_SUFFIXES[text] for text in texts if text in SAME_SUFFIXES}
        covered = frozenset(positions_in(parts, {*joined(texts), *same}))
        return cls(namespace, tuple(parts), covered, tuple(texts))

    @property
    def others(self) -> tuple[str, ...]:
        """Return the words that a search does not have after the first that it has."""
        first = min(self.covered, default=len(self.parts))
        return self._others(range(first, len(self.parts)))

    @property
    def prefixes(self) -> tuple[str, ...]:
        """Return the first word if it tells the type of a cloud from another's of that name."""
        first = self.parts[:1]
        is_told = PREFIXES.get(self.namespace) != "".join(first) or self.namespace in self.texts
        return () if is_told or 0 in self.covered or 1 not in self.covered else first

    @property
    def suffixes(self) -> Iterator[str]:
        """Yield the words that follow a number of the search, and change what it names.

        Also those that follow a suffix of it: an RTX 3080 Ti Laptop GPU is no RTX 3080 Ti.
        """
        pattern = REVISION if MODULES.isdisjoint(self.texts) else OF_MODULE
        is_named = False
        for index, part in enumerate(self.parts):
            if part in STOP_WORDS:  # `2080-with-max-q-design`
                continue
            is_suffix = part in SUFFIXES or pattern.fullmatch(part) is not None
            if is_suffix and is_named and index not in self.covered:
                yield part
            is_named = index in self.covered and (has_digit(part) or (is_named and is_suffix))

    @property
    def between(self) -> Iterator[str]:
        """Yield the words that change what a name names, between neighbours of the search.

        An iPad Air 5th generation is no iPad 5th generation, nor is an iPad mini A17 Pro an iPad
        Pro.
        """
        for before, word in pairwise(self.texts):
            changing = LINES.get(before, frozenset())
            start = self.parts.index(before) + 1 if before in self.parts else 0
            if start and (word in SUFFIXES or ORDINAL.fullmatch(word)):
                changing |= SUFFIXES
            if word in self.parts:
                others = self._others(range(start, self.parts.index(word)))
                yield from (other for other in others if other in changing)

    @property
    def after_numbers(self) -> tuple[str, ...]:
        """Return the words after the last number of the search: the iot of `ls1021a-iot`.

        In their place, a search for the LS1021A QDS has a word that no tag has.
        """
        end = len(self.parts)
        last = max((each for each in self.covered if has_digit(self.parts[each])), default=end)
        return self._others(range(last + 1, end))

    def _others(self, places: range) -> tuple[str, ...]:
        return tuple(self.parts[place] for place in places if place not in self.covered)


def name_differences(words: Sequence[str], deciding: Collection[str], name: str) -> tuple[str, ...]:
    """Return the deciding words of a search that a name lacks: `4090, not 4095`, or `not nano`."""
    parts = split_words(name)
    present = positions_in(words, {*joined(parts)})
    in_place = _in_place(words, parts)
    return tuple(
        f"{other}, not {word}" if (other := _other(word, parts, in_place)) else f"not {word}"
        for index, word in enumerate(words)
        if word in deciding and index not in present
    )


def _in_place(words: Sequence[str], parts: Sequence[str]) -> Mapping[str, str]:
    """Return the words of a name that stand between the same words as some of a search."""
    blocks = SequenceMatcher(None, words, parts, autojunk=False).get_opcodes()
    return {
        word: part
        for kind, start, end, other_start, other_end in blocks
        if kind == "replace" and end - start == other_end - other_start
        for word, part in zip(words[start:end], parts[other_start:other_end], strict=True)
        if has_digit(word) is has_digit(part)
    }


def _other(word: str, parts: Sequence[str], in_place: Mapping[str, str]) -> str:
    """Return the word of a name in place of one of a search: in its place, or spelt nearly so."""
    if word in in_place:
        return in_place[word]
    runs = (run for run in joined(parts) if run in parts or run[0] == word[0])
    distances = [(edit_distance(word, run), run) for run in runs if has_digit(run)]
    distance, run = min(distances, default=(len(word), ""))
    return run if has_digit(word) and distance <= FARTHEST * len(word) else ""
