"""Reads the words of a search, and finds the terms that each of them can match."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from registry.domain.search.search_terms import (
    MAX_JOINED,
    MAX_TERM,
    STOP_WORDS,
    TermField,
    split_words,
    weight,
)
from registry.models import Term
from registry.models.combined_queries import rows_of_each
from registry.services.search import spelling

MAX_QUERY = 200  # characters; the rest of a longer query is ignored
MAX_WORDS = 8
MAX_RUN = 16  # words between two spaces; the rest is ignored
MAX_COMPLETED = 500  # tags; a word that more tags have is not completed
MAX_COMPLETIONS = 50  # terms, the most common ones
MIN_KEPT = 5  # characters of a part number that must be known
MIN_BEGINNING = 2  # characters that similar terms share
MIN_PLURAL = 4  # characters of a word that may be a plural

TRADEMARKS = re.compile(r"\((?:r|tm|c)\)|[®™©]", re.IGNORECASE)
FREQUENCY = re.compile(r"@\s*[0-9.]+\s*[kmg]hz", re.IGNORECASE)
OPTION = re.compile(r"(?<!\S)-{1,2}[a-z_-]+=", re.IGNORECASE)  # of a compiler: `-mcpu=`
LAST = "~"  # sorts after letters and digits
PROSE = weight(TermField.MESSAGE, 0)  # in prose and in parts, words match only themselves

SYNONYMS = {
    "amd64": "x86",
    "arm64": "aarch64",
    "rpi": "raspberrypi",
    "stmicroelectronics": "st",
    "x64": "x86",
}

Counts = Mapping[str, int]  # how many tags have a term


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a search with the terms that it can match, and how many tags have each.

    `joined` are runs of words that hold this one, as `cortexm7` holds `cortex`. `completed` are
    terms that begin with `prefix`, which is empty if the word is not completed. `spelling` is the
    word with the hyphens that it may have, as `cortex-m7`.
    """

    text: str
    terms: Counts = field(default_factory=dict)
    joined: Counts = field(default_factory=dict)
    completed: Counts = field(default_factory=dict)
    prefix: str = ""
    is_corrected: bool = False
    spelling: str = ""

    @property
    def counts(self) -> Counts:
        """Return all terms, the best first, with the number of tags that have them."""
        return {**self.joined, **self.terms, **self.completed}

    @property
    def tags(self) -> int:
        """Return an upper bound of the number of tags that have the word."""
        return sum(self.counts.values())

    def accepts(self, term: str, number: int) -> bool:
        """Return whether a term with this weight is one that the word can match."""
        if term in self.joined or (term in self.terms and not self.is_corrected):
            return True
        return number < PROSE and (term in self.terms or self.completes_to(term))

    def is_exhaustive(self, tags: int) -> bool:
        """Return whether at most so many tags have the word, all of which have a known term."""
        return self.tags <= tags and len(self.completed) < MAX_COMPLETIONS

    def completes_to(self, term: str) -> bool:
        """Return whether the word is the beginning of a term."""
        return bool(self.prefix) and term.startswith(self.prefix)


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The words of a search; `whole` is all of them as one term."""

    words: tuple[Word, ...]
    whole: str
    unknown: tuple[str, ...]


def read_query(text: str) -> QueryTerms:
    """Return the words of a search with their terms, and those that no tag can match.

    At most six queries, for any number of words.
    """
    chunks = _chunks(text)
    runs = [word for chunk in chunks for word in chunk]
    joined = {run for chunk in chunks for run in _runs(chunk, len(chunk))}
    joined |= set(_runs(runs, MAX_JOINED))
    known = _count_tags({*runs, *joined, *map(_singular, runs), *SYNONYMS.values()})
    texts = list(dict.fromkeys(_words(chunks, known)))[:MAX_WORDS]
    content = [word for word in texts if word not in STOP_WORDS] or texts
    spellings = {"".join(chunk)[:MAX_TERM]: "-".join(chunk) for chunk in chunks}
    words = [
        replace(word, spelling=spellings.get(word.text, word.text))
        for word in _with_terms(content, known)
    ]
    return QueryTerms(
        words=tuple(word for word in words if word.tags),
        whole="".join(runs)[:MAX_TERM],
        unknown=tuple(word.spelling for word in words if not word.tags),
    )


def words_beginning_like(text: str) -> Word:
    """Return a word for the terms that begin as an unknown text does. One query."""
    prefix = text[: max(MIN_BEGINNING, 2 * len(text) // 3)]
    return Word(text, completed=_completions([prefix])[prefix], prefix=prefix, is_corrected=True)


def _chunks(text: str) -> list[list[str]]:
    """Return the words between spaces, without what is pasted around names."""
    text = FREQUENCY.sub(" ", TRADEMARKS.sub(" ", OPTION.sub(" ", text[:MAX_QUERY])))
    return [words[:MAX_RUN] for chunk in text.split() if (words := split_words(chunk))]


def _words(chunks: Sequence[Sequence[str]], known: Collection[str]) -> Iterator[str]:
    """Yield the words to search for: `cortex-m7` is one word, if tags have it."""
    for chunk in chunks:
        whole = "".join(chunk)[:MAX_TERM]
        if whole in known:
            yield whole
        else:
            yield from chunk


def _runs(words: Sequence[str], longest: int) -> Iterator[str]:
    """Yield runs of two or more neighbouring words as one."""
    for start in range(len(words)):
        for end in range(start + 2, min(start + longest, len(words)) + 1):
            yield "".join(words[start:end])[:MAX_TERM]


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) >= MIN_PLURAL else word


def _count_tags(texts: Collection[str]) -> Counts:
    """Return how many tags have each of these terms, without unknown ones. At most one query."""
    return dict(Term.objects.filter(text__in=texts, tags__gt=0).values_list("text", "tags"))


# Decision 084: one vocabulary for both databases: neither has to correct words itself.
def _with_terms(texts: Sequence[str], known: Counts) -> list[Word]:
    """Return words with their terms: as they are, completed, shortened or corrected."""
    words = [
        Word(
            text,
            _among(known, (text, _singular(text), SYNONYMS.get(text, text))),
            _among(known, _joined_with(text, texts)),
        )
        for text in texts
    ]
    rare = [word.text for word in words if sum(word.terms.values()) <= MAX_COMPLETED]
    completed = _completions(rare)
    words = [
        replace(word, completed=completed[word.text], prefix=word.text)
        if word.text in completed
        else word
        for word in words
    ]
    corrected = _corrected([word.text for word in words if not word.tags])
    return [word if word.tags else corrected.get(word.text, Word(word.text)) for word in words]


def _corrected(texts: Collection[str]) -> dict[str, Word]:
    """Return unknown words with the terms that they are the beginning or a misspelling of."""
    near = _shortened(texts)
    near |= spelling.near_words([text for text in texts if text not in near])
    known = _count_tags({term for terms in near.values() for term in terms})
    completed = _completions([terms[0] for terms in near.values()])
    return {
        text: Word(
            text,
            _among(known, terms),
            completed=completed[terms[0]],
            prefix=terms[0],
            is_corrected=True,
        )
        for text, terms in near.items()
    }


def _among(known: Counts, texts: Iterable[str]) -> Counts:
    return {text: known[text] for text in texts if text in known}


def _joined_with(text: str, words: Sequence[str]) -> Iterator[str]:
    """Yield the runs of neighbouring words that hold a word."""
    index = words.index(text)
    for start in range(max(0, index - MAX_JOINED + 1), index + 1):
        for end in range(max(index + 1, start + 2), min(start + MAX_JOINED, len(words)) + 1):
            yield "".join(words[start:end])[:MAX_TERM]


def _completions(texts: Iterable[str]) -> dict[str, Counts]:
    """Return the most common longer terms that start with each text. At most one query."""
    prefixes = list(dict.fromkeys(texts))
    rows = rows_of_each(
        [
            Term.objects.filter(text__gt=prefix, text__lt=prefix + LAST, tags__gt=0)
            .order_by("-tags", "text")
            .values_list("text", "tags")[:MAX_COMPLETIONS]
            for prefix in prefixes
        ]
    )
    return {
        prefix: dict(sorted(counts, key=lambda row: (-row[1], row[0])))
        for prefix, counts in zip(prefixes, rows, strict=True)
    }


def _shortened(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the longest term that a part number begins with: `stm32h743` of `stm32h743zi`.

    At most one query.
    """
    beginnings = {
        text: [text[:end] for end in range(max(MIN_KEPT, (len(text) + 1) // 2), len(text))]
        for text in texts
        if not text.isalpha()
    }
    known = _count_tags({start for starts in beginnings.values() for start in starts})
    longest = {
        text: max((start for start in starts if start in known), key=len, default="")
        for text, starts in beginnings.items()
    }
    return {text: (start,) for text, start in longest.items() if start}
