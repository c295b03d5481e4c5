"""Search the documents in memory, by the words of their headings, terms and text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from registry.domain.names.name_folding import fold_name
from registry.domain.names.near_names import nearest_names
from registry.web.documents.library import DocumentPage, Section, pages

MAX_WORDS = 8  # as in the search of tags; the others are said to be left out
MAX_HITS = 12
MAX_HEADINGS = 3  # among the tags that a search finds
MIN_PREFIX = 3  # letters of the beginning of a word
EXCERPT = 160  # characters
WORD = re.compile(r"[a-z0-9]+")
PLURAL = re.compile(r"(?<=[a-z]{3})(?<!s)s$")

# The score of a word by where it stands: as a whole word, or as the beginning of one.
IN_TITLE, IN_TEXT, IN_PAGE_TITLE = (8, 5), (3, 1), (2, 1)
SAME_TITLE, BEGINS_TITLE = 20, 6  # of the whole query


@dataclass(frozen=True, slots=True)
class IndexedSection:
    """A section with its folded words."""

    page: DocumentPage
    section: Section
    title: str
    title_words: frozenset[str]
    text_words: frozenset[str]
    page_words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that a query matches, with the part of its text around the first word."""

    page: DocumentPage
    section: Section
    excerpt: str

    @property
    def url(self) -> str:
        """Return the path of the section on the site."""
        return f"{self.page.url}#{self.section.anchor}"


@dataclass(frozen=True, slots=True)
class DocumentHits:
    """The hits, best first, and the words of the query that no document has.

    `unread` are the words beyond the limit, and `more` is the number of hits that are left out.
    """

    hits: tuple[Hit, ...]
    is_partial: bool = False  # no section has all words; the hits have most of them
    ignored: tuple[str, ...] = ()
    corrected: tuple[tuple[str, str], ...] = ()  # each with the near word that was searched for
    unread: tuple[str, ...] = ()
    more: int = 0


def search(text: str) -> DocumentHits:
    """Return the sections that have every word of a query, or else those that have most.

    Case and punctuation do not matter. A word that no document has is replaced by a near one, or
    ignored if there is none.
    """
    words: list[str] = []
    ignored: list[str] = []
    corrected: list[tuple[str, str]] = []
    typed = _words(text)
    for word in typed[:MAX_WORDS]:
        if word in _vocabulary() or any(other.startswith(word) for other in _vocabulary()):
            words.append(word)
        elif near := nearest_names(word, _vocabulary()):
            words.append(near[0])
            corrected.append((word, near[0]))
        else:
            ignored.append(word)
    count, ranked = _best_sections(words)
    hits = (Hit(it.page, it.section, _excerpt(it.section.text, words)) for it in ranked[:MAX_HITS])
    is_partial = 0 < count < len(words)
    return DocumentHits(
        tuple(hits),
        is_partial,
        tuple(ignored),
        tuple(corrected),
        unread=tuple(typed[MAX_WORDS:]),
        more=len(ranked[MAX_HITS:]),
    )


def search_headings(text: str) -> tuple[Hit, ...]:
    """Return up to three sections whose titles have every word of a query as a whole word."""
    words = _words(text)
    if not 0 < len(words) <= MAX_WORDS:
        return ()
    matching = [item for item in _index() if item.title_words.issuperset(words)]
    ranked = sorted(matching, key=lambda item: -_title_score(item, words))
    return tuple(Hit(item.page, item.section, "") for item in ranked[:MAX_HEADINGS])


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case, plural ones without their `s`."""
    return [PLURAL.sub("", word) for word in WORD.findall(text.lower())]


@lru_cache(maxsize=1)
def _index() -> tuple[IndexedSection, ...]:
    return tuple(
        IndexedSection(
            page,
            section,
            fold_name(section.title),
            frozenset(_words(section.title)),
            frozenset(_words(section.text)),
            frozenset(_words(page.title)),
        )
        for page in pages().values()
        for section in page.sections
    )


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    return frozenset(word for it in _index() for word in (*it.title_words, *it.text_words))


def _best_sections(words: Sequence[str]) -> tuple[int, list[IndexedSection]]:
    """Return how many of the words a section can have, and the sections that do, best first."""
    scored: dict[int, list[tuple[int, IndexedSection]]] = {}
    for item in _index():
        scores = [score for word in words if (score := _word_score(item, word))]
        total = sum(scores) + _title_score(item, words)
        scored.setdefault(len(scores), []).append((total, item))
    count = max(scored)
    ranked = sorted(scored[count], key=lambda pair: -pair[0]) if count else []
    return count, [item for _, item in ranked]


def _word_score(item: IndexedSection, word: str) -> int:
    """Return how well a word matches a section; 0 if the section lacks it."""
    return max(
        _place(word, item.title_words, IN_TITLE),
        _place(word, item.text_words, IN_TEXT),
        _place(word, item.page_words, IN_PAGE_TITLE),
    )


def _title_score(item: IndexedSection, words: Sequence[str]) -> int:
    """Return how well the whole query matches the title of a section."""
    query = "".join(words)
    if item.title == query:
        return SAME_TITLE
    return BEGINS_TITLE if item.title.startswith(query) else 0


def _place(word: str, words: frozenset[str], scores: tuple[int, int]) -> int:
    whole, beginning = scores
    if word in words:
        return whole
    if len(word) >= MIN_PREFIX and any(other.startswith(word) for other in words):
        return beginning
    return 0


def _excerpt(text: str, words: Iterable[str]) -> str:
    """Return the part of a text around the first word of a query that it has."""
    pattern = "|".join(rf"\b{re.escape(word)}" for word in words)
    match = re.search(pattern, text, re.IGNORECASE)
    start = max(match.start() - EXCERPT // 3, 0) if match else 0
    start = text.find(" ", start) + 1 if start else 0
    end = start + EXCERPT
    if end < len(text):
        end = text.rfind(" ", start, end)
    return ("… " if start else "") + text[start:end] + (" …" if end < len(text) else "")
