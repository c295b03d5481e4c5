"""Words that no tag has, with the terms that they may misspell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from registry.domain.names.name_folding import edit_distance
from registry.domain.search.query_words import WordRole
from registry.domain.search.word_lists import BRANDS
from registry.services.search import spelling
from registry.services.search.query_terms import Word
from registry.services.search.vocabulary import among, count_tags, is_brand

MIN_BRAND = 5  # characters of a brand that a typo may mean


def corrected(words: Sequence[Word]) -> list[Word]:
    """Return words of which the unknown ones are mended, with their runs. At most two queries."""
    near = _corrections(words)
    if not near:
        return list(words)
    runs = {word.text: tuple(_mended(word.runs, near)) for word in words}
    known = count_tags({*chain(*near.values()), *chain(*runs.values())})
    return [
        replace(
            word,
            terms={**word.terms, **among(known, near.get(word.text, ()))},
            joined={**word.joined, **among(known, runs[word.text])},
            is_corrected=word.text in near,
        )
        for word in words
    ]


def words_like(words: Sequence[Word]) -> list[Word]:
    """Return words for the terms that unknown words nearly are. At most two queries."""
    near = spelling.near_words([word.text for word in words])
    known = count_tags({term for terms in near.values() for term in terms})
    return [Word(text, among(known, terms), is_corrected=True) for text, terms in near.items()]


def _corrections(words: Sequence[Word]) -> Mapping[str, tuple[str, ...]]:
    """Return the terms that unknown words without digits misspell. At most one query."""
    texts = [
        word.text
        for word in words
        if not word.tags and word.role is WordRole.NAMES and not is_brand(word.text)
    ]
    near = spelling.near_words(texts) if texts else {}
    return {text: terms for text, terms in near.items() if not _is_nearer_to_brand(text, terms)}


def _mended(runs: Iterable[str], near: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the runs that hold a misspelt word with what it misspells."""
    for run in runs:
        for text, terms in near.items():
            if text in run:
                yield from (run.replace(text, term) for term in terms)


def _is_nearer_to_brand(text: str, terms: Sequence[str]) -> bool:
    """Return whether a word rather misspells a product that no tag has."""
    allowed = edit_distance(text, terms[0])
    return any(
        abs(len(brand) - len(text)) <= allowed and edit_distance(text, brand) <= allowed
        for brand in BRANDS
        if len(brand) >= MIN_BRAND and brand not in terms
    )
