"""Reads the words of a search, and finds the terms that each of them can match."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from registry.domain.search.part_numbers import line_of
from registry.domain.search.query_words import (
    MAX_WEAK,
    MAX_WORDS,
    Query,
    QueryWord,
    WordRole,
    read_words,
)
from registry.domain.search.search_terms import MAX_JOINED, MAX_TERM
from registry.domain.search.word_lists import CARD_MAKERS, CORES, STOP_WORDS, SUFFIXES, SYNONYMS
from registry.domain.search.word_runs import runs_of, runs_with
from registry.services.search.corrections import corrected
from registry.services.search.query_terms import Counts, QueryTerms, Word
from registry.services.search.vocabulary import (
    among,
    common_completions,
    completions,
    count_tags,
    is_brand,
)

MIN_COMPLETED = 4  # letters of a beginning without digits: `mac` is no `macbook`
MIN_BEGINNING = 2  # characters that similar terms share
MIN_PLURAL = 4  # characters of a word that may be a plural
CLOUD_SIZE = re.compile(r"(?:\d*x)?large|metal|medium|micro|nano|small")
MAX_SHORT = 3  # characters of a product that its maker's word belongs to: `a52`, `x5`
# Numbers that several makers give to their products: `f100`, `2120`, but not `rk3588` or `x86`.
SHARED = re.compile(r"(?!x86)[a-z]?[0-9]{1,4}[a-z]*")


def read_query(text: str, *, completes_last: bool = False) -> QueryTerms:
    """Return the words of a search with their terms, and those that no tag can match.

    At most five queries, for any number of words. With `completes_last`, the last word may be the
    beginning of any term, as while somebody types it.
    """
    query = read_words(text)
    runs = [word.text for word in query.words]
    known = count_tags(_candidates(query))
    words = list(_merged(query, known))
    count = _count_within_limit(words)
    read = _with_terms(words, count, known, completes_last=completes_last)
    lacking = tuple(
        word
        for index, word in enumerate(read)
        if word.decides and not word.tags and _is_needed(read, index)
    )
    return QueryTerms(
        words=tuple(word for word in read if word.tags),
        whole="".join(runs)[:MAX_TERM],
        unknown=tuple(
            word.spelling
            for word in read
            if not word.tags
            and word not in lacking
            and word.text not in STOP_WORDS
            and word.spelling not in query.ignored
        ),
        lacking=lacking,
        numbers=tuple(
            number
            for number in query.numbers
            if not (completes_last and text.rstrip().endswith(number.text))
        ),
        ignored=query.ignored,
        unread=(*(word.spelling for word in words[count:]), *query.unread),
        is_typed=completes_last,
    )


def with_groups(query: QueryTerms) -> QueryTerms | None:
    """Return a search with the words that have digits as beginnings; None if they are none.

    At most one query.
    """
    completed = completions(
        run for word in query.words if word.role is WordRole.DECIDES for run in _beginnings(word)
    )
    words = [
        _completed(word, completed) if word.role is WordRole.DECIDES else word
        for word in query.words
    ]
    return replace(query, words=tuple(words)) if words != list(query.words) else None


def without_corrections(query: QueryTerms) -> QueryTerms | None:
    """Return a search without words that may have been misspelt; None if it needs them."""
    words = query.words
    corrected = [index for index, word in enumerate(words) if word.is_corrected]
    if not corrected or any(_is_needed(words, index) for index in corrected):
        return None
    return replace(
        query,
        words=tuple(word for word in words if not word.is_corrected),
        unknown=(*query.unknown, *(words[index].spelling for index in corrected)),
    )


def words_beginning_like(text: str) -> Word:
    """Return a word for the terms that begin as an unknown text does. One query."""
    prefix = text[: max(MIN_BEGINNING, 2 * len(text) // 3)]
    completed = common_completions([prefix])[prefix]
    return Word(text, completed=completed, prefixes=(prefix,), is_corrected=True)


def _candidates(query: Query) -> set[str]:
    """Return the terms that the words of a search may have as they are."""
    runs = [word.text for word in query.words]
    texts = {*runs, *runs_of(runs, MAX_JOINED), *map(_singular, runs)}
    for chunk in query.chunks:
        texts |= set(runs_of([word.text for word in chunk], len(chunk)))
    texts |= {term for text in texts for term in SYNONYMS.get(text, ())}
    return texts | {line for run in runs if (line := line_of(run))}


def _merged(query: Query, known: Collection[str]) -> Iterator[QueryWord]:
    """Yield the words to search for: `cortex-m7` is one word, if tags have it."""
    for chunk in query.chunks:
        whole = "".join(word.text for word in chunk)[:MAX_TERM]
        if len(chunk) > 1 and whole in known:
            decides = any(word.role is WordRole.DECIDES for word in chunk)
            role = WordRole.DECIDES if decides else WordRole.NAMES
            yield QueryWord(whole, role, "-".join(word.text for word in chunk))
        else:
            yield from chunk


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) >= MIN_PLURAL and word.isalpha() else word


# Decision 084: one vocabulary for both databases: neither has to correct words itself.
def _with_terms(
    words: Sequence[QueryWord], count: int, known: Counts, *, completes_last: bool
) -> list[Word]:
    """Return the first words with their terms: as they are, completed, or corrected."""
    read = list(_as_they_are(words, count, known))
    if completes_last and len(read) > 1 and len(read[-1].text) == 1 and read[-1].text.isalpha():
        read.pop()  # too little to complete: `jetson-n` finds what `jetson` does
        completes_last = False
    last = read.pop() if completes_last and read and len(read[-1].text) > 1 else None
    completed = completions(run for word in read if not word.tags for run in _beginnings(word))
    read = [word if word.tags else _completed(word, completed) for word in read]
    return corrected([*read, _typed(last)] if last else read)


def _typed(word: Word) -> Word:
    """Return the last word of what somebody types, as the beginning of any term. One query."""
    terms = common_completions([word.text])[word.text]
    return replace(word, completed=terms, prefixes=(word.text,), is_typed=True)


def _count_within_limit(words: Sequence[QueryWord]) -> int:
    """Return the number of words with which at most eight different ones do more than rank."""
    deciding: set[str] = set()
    ranking: set[str] = set()
    for index, word in enumerate(words):
        if word.text not in ranking:
            (ranking if word.role is WordRole.RANKS else deciding).add(word.text)
        if len(deciding) > MAX_WORDS:
            return index
    return len(words)


def _as_they_are(words: Sequence[QueryWord], count: int, known: Counts) -> Iterator[Word]:
    """Yield each of the first words once, with the terms that it is or that it is a part of."""
    texts = [word.text for word in words]
    for index, word in enumerate(words[:count]):
        if word.text in texts[:index]:
            continue
        is_alone = not index or not _belongs(words[index - 1], word)
        runs = tuple(runs_with(texts, index, from_before=not is_alone))
        own = (word.text, *SYNONYMS.get(word.text, ()), *_other_forms(word))
        yield Word(
            word.text,
            among(known, own) if is_alone else {},
            among(known, runs),
            spelling=word.spelling,
            role=word.role,
            runs=runs,
            is_alone=is_alone,
            is_bound=word.role is WordRole.NAMES and _is_bound(words, index),
        )


def _belongs(before: QueryWord, word: QueryWord) -> bool:
    """Return whether a word names something only together with the one before it.

    The 5 of a Raspberry Pi 5, the Ti of a 4070 Ti, the m5 of `cortex m5`, the 4xlarge of
    `t4g.4xlarge`, which is no machine with a T4G.
    """
    if word.is_inner and before.role is WordRole.DECIDES and CLOUD_SIZE.fullmatch(word.text):
        return True
    if word.role is not WordRole.DECIDES:
        return before.role is WordRole.DECIDES and word.text in SUFFIXES
    is_of_core = before.text in CORES and len(word.text) <= MAX_SHORT
    return word.is_weak or (word.is_inner and len(word.text) <= MAX_SHORT) or is_of_core


def _is_bound(words: Sequence[QueryWord], index: int) -> bool:
    """Return whether a word belongs to a number: a short one follows, or hyphens join them.

    The maker's word of `a52`, the stg of `stg-2000`, the lssd of `c3-standard-22-lssd`. A chip's
    number is one by itself: the board `pumpkin-mt8183` has an MT8183.
    """
    following = words[index + 1 : index + 2]
    if any(word.role is WordRole.DECIDES and len(word.text) <= MAX_SHORT for word in following):
        return True
    start, end = index, index + 1
    while start and words[start].is_inner:
        start -= 1
    while end < len(words) and words[end].is_inner:
        end += 1
    numbers = [word for word in words[start:end] if word.role is WordRole.DECIDES]
    return bool(numbers) and all(SHARED.fullmatch(word.text) for word in numbers)


def _other_forms(word: QueryWord) -> tuple[str, ...]:
    """Return the singular of a word, or the line of a part number."""
    if word.role is WordRole.DECIDES:
        line = line_of(word.text)
        return (line,) if line else ()
    return (_singular(word.text),)


def _is_needed(words: Sequence[Word], index: int) -> bool:
    """Return whether a word that no tag has excludes all of them.

    Letters are left out after a word with digits, and before one that names a product on its own:
    of a number that makers share only beside another word that tags have, or a maker of cards. A
    Gionee F100 is no STM32F100 (decision 202).
    """
    word = words[index]
    if word.role is WordRole.DECIDES or word.is_bound or is_brand(word.text) or not word.is_alone:
        return True
    numbers = [place for place, other in enumerate(words) if other.role is WordRole.DECIDES]
    names_product = any(len(words[place].text) > MAX_SHORT for place in numbers)
    if not numbers or any(place < index and (place or names_product) for place in numbers):
        return False
    if not names_product or not all(SHARED.fullmatch(words[place].text) for place in numbers):
        return not names_product
    others = (other for other in words[: numbers[0]] if other is not word)
    return not any(
        other.text in CARD_MAKERS or (other.role is WordRole.NAMES and other.tags)
        for other in others
    )


def _beginnings(word: Word) -> tuple[str, ...]:
    """Return the texts that longer terms may begin with."""
    if word.role is WordRole.RANKS:
        return ()
    if word.role is WordRole.NAMES:
        is_long = len(word.text) >= MIN_COMPLETED and not is_brand(word.text)
        return (word.text,) if is_long else ()
    # The t8 of `tesla t8` begins no Mali-T820.
    is_own = word.is_alone and (len(word.text) > MAX_WEAK or not word.runs)
    own = (word.text,) if is_own else ()
    return (*own, *(run for run in word.runs if run.endswith(word.text)))


def _completed(word: Word, completed: Mapping[str, Counts]) -> Word:
    """Return a word with the longer terms that it begins."""
    prefixes = tuple(run for run in _beginnings(word) if completed.get(run))
    counts = {term: count for run in prefixes for term, count in completed[run].items()}
    return replace(word, completed=counts, prefixes=prefixes)
