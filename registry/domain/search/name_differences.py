"""Says which words of a search a name lacks, and which ones it has in their place."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher

from registry.domain.names.name_folding import edit_distance
from registry.domain.search.search_terms import has_digit, split_words
from registry.domain.search.word_runs import joined, positions_in

FARTHEST = 0.5  # of a word's letters; beyond, another word is no neighbour of it


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
