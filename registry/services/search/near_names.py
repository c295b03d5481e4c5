"""Finds tags that a text names, or with names similar to it, which may be misspelt in any word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter

from django.db.models import Q

from registry.domain.names.machine_names import (
    Absent,
    Ambiguous,
    NamedTags,
    OneTag,
    tags_named_like,
)
from registry.domain.names.name_folding import edit_distance, fold_name, least_distance, trigrams
from registry.domain.search.search_terms import split_words
from registry.models import Name, Status
from registry.models.planner_hints import OneOf
from registry.services.core import shipped_facts
from registry.services.search.corrections import words_like
from registry.services.search.matching import sample_tags
from registry.services.search.query_reading import read_query, words_beginning_like
from registry.services.search.query_terms import Word

MAX_SIMILAR = 5
MAX_QUERY = 100  # characters; the rest of a longer text is ignored
MAX_TELLING = 3  # words whose tags are read: those that fewest tags have
MAX_SAMPLED = 300  # tags of each word whose names share trigrams with the text
MAX_CANDIDATES = 20  # names whose edit distance is computed; as many with most words of the text
MAX_COMPARED = 48  # characters; computing an edit distance takes quadratic time
MIN_SIMILARITY = 0.65  # between 0 and 1; a typo in every third letter
MAX_SWAPPED = 8  # letters; in shorter texts, swapping two can change every trigram

NOT_WORD = re.compile(r"[^a-z0-9]+")


def similar_tags(text: str, *, without: str = "") -> tuple[str, ...]:
    """Return up to five tags, `without` one: those that programs and people call as the text, then
    those whose names are most similar. None for a product that is known to be absent.

    Deprecated tags are not among them. At most five queries in addition to those of the words.
    """
    names = _near_names(text)
    names.pop(without, None)
    return tuple(names)[:MAX_SIMILAR]


def similar_names(text: str) -> dict[str, str]:
    """Return the tags of `similar_tags`, each with the name that is similar."""
    return dict(islice(_near_names(text).items(), MAX_SIMILAR))


def _near_names(text: str) -> dict[str, str]:
    """Return tags that a text may mean, the best first, each with its most similar name."""
    meaning = tags_named_like(text, shipped_facts.machine_names())
    if isinstance(meaning, Absent):
        return {}
    similar = _most_similar(text)
    return {tag: similar.get(tag, tag) for tag in (*_existing(meaning), *similar)}


def _existing(meaning: NamedTags) -> tuple[str, ...]:
    """Return the tags of this registry that a name stands for, or may stand for."""
    if not isinstance(meaning, OneTag | Ambiguous):
        return ()
    tags = (meaning.tag,) if isinstance(meaning, OneTag) else meaning.tags
    existing = set(Name.objects.filter(text__in=tags).values_list("text", flat=True))
    return tuple(tag for tag in tags if tag in existing)


def _most_similar(text: str) -> dict[str, str]:
    """Return the tags with the most similar names, and these; one more than are asked for."""
    query = fold_name(text[:MAX_QUERY])[:MAX_COMPARED]
    if not query:
        return {}
    terms = read_query(text[:MAX_QUERY])
    words = (*terms.words, *words_like(terms.lacking)) or (words_beginning_like(query),)
    telling = sorted(words, key=lambda word: word.tags)[:MAX_TELLING]
    tags = sample_tags(telling, MAX_SAMPLED)
    if not tags:
        return {}
    names = Name.objects.filter(OneOf("tag", tags), ~Q(tag__entry__status=Status.DEPRECATED))
    rows = names.values_list("tag__text", "text", "folded")
    scored = [
        (lacking, -_similarity(query, name), tag, name)
        for lacking, tag, name in _candidates(query, rows, terms.deciding)
    ]
    similar: dict[str, str] = {}
    for _, negative, tag, name in sorted(scored):
        if -negative >= MIN_SIMILARITY:
            similar.setdefault(tag, name)
    return dict(islice(similar.items(), MAX_SIMILAR + 1))


def _candidates(
    query: str, rows: Iterable[tuple[str, str, str]], words: Sequence[Word]
) -> set[tuple[int, str, str]]:
    """Return the names that share most with a query, of all and of those with most of its words.

    Each has the number of words that it lacks, and its tag.
    """
    grams = frozenset[str]().union(*map(trigrams, _spellings(query)))
    shared = sorted(
        (-len(grams & trigrams(folded)), lacking_words(name, words), tag, name)
        for tag, name, folded in rows
    )
    having = sorted(shared, key=itemgetter(1))
    return {row[1:] for row in (*shared[:MAX_CANDIDATES], *having[:MAX_CANDIDATES])}


def lacking_words(name: str, words: Iterable[Word]) -> int:
    """Return how many words a name lacks: of `p4d.48xlarge`, another family lacks the p4d."""
    parts = split_words(name)
    return sum(word.text not in parts for word in words)


def _spellings(query: str) -> Iterator[str]:
    """Yield a query and, if it is short, its variants with two neighbouring letters swapped."""
    yield query
    if len(query) <= MAX_SWAPPED:
        for i in range(len(query) - 1):
            yield query[:i] + query[i + 1] + query[i] + query[i + 2 :]


def _similarity(query: str, name: str) -> float:
    """Return 0.9 of the similarity of the best run of words, plus 0.1 of that of the whole name."""
    words = [word for word in NOT_WORD.split(name.lower()) if word]
    parts = {
        "".join(words[start:end])[:MAX_COMPARED]
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
    }
    candidates = (part for part in parts if 3 * abs(len(part) - len(query)) <= len(query))
    # Computing a distance takes long; most parts cannot be nearer than the best one.
    shares = ((_share(query, part, least_distance(query, part)), part) for part in candidates)
    best = 0.0
    for most, part in sorted(shares, reverse=True):
        if most <= best:
            break
        best = max(best, _share(query, part, edit_distance(query, part)))
    whole = "".join(words)[:MAX_COMPARED]
    return 0.9 * best + 0.1 * _share(query, whole, edit_distance(query, whole))


def _share(one: str, other: str, distance: int) -> float:
    """Return the share of characters that are equal, of two texts at a distance."""
    return 1 - distance / max(len(one), len(other))
