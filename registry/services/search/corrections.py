"""Words that no tag has, with the terms that they may misspell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from registry.domain.names.name_folding import edit_distance
from registry.domain.search.query_words import WordRole
from registry.domain.search.word_lists import BRANDS
from registry.services.search import spelling
from registry.services.search.query_terms import Word
from registry.services.search.vocabulary import among, count_tags, is_brand

MIN_BRAND = 5  # characters of a brand that a typo may mean
LONG_LONE = 6  # characters of a lone word of which any typo can match


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
    mended = {text: terms for text, terms in near.items() if not _is_nearer_to_brand(text, terms)}
    if sum(word.decides for word in words) > 1:
        return mended
    slips = {text: tuple(filter(partial(_is_slip, text), mended[text])) for text in mended}
    return {text: terms for text, terms in slips.items() if terms}


def _is_slip(text: str, term: str) -> bool:
    """Return whether a lone word misspells a term: with other letters, it is another word.

    A letter lacks, is one too many or stands before its neighbour, but the first one is right:
    `Primo` is no `prime`, `VEON` no `Xeon`.
    """
    is_same_size = len(text) == len(term) and sorted(text) != sorted(term)
    return len(text) >= LONG_LONE or (text[0] == term[0] and not is_same_size)


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
