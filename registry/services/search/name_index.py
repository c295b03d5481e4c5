"""Searches names with a trigram index, which tolerates spelling differences.

A search starts from the rarest trigram, so its cost depends on the number of matches, not on the
number of names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from django.db.models import Count, QuerySet

from registry.domain.name_folding import GRAM_LENGTH, edit_distance, fold_name, trigrams
from registry.models import Gram, GramCount, Name
from registry.models.row_insertion import insert_rows

MAX_SIMILAR = 5
MAX_QUERY = 100  # characters; the rest of a longer query is ignored
MAX_WORDS = 8
MAX_INDEXED = 5_000  # names; if the rarest trigram has more, scanning all names is faster
MAX_POSTINGS = 20_000  # rows of the index that a search for similar names reads
MAX_CANDIDATES = 60  # names whose edit distance is computed
MAX_COMPARED = 48  # characters; computing an edit distance takes quadratic time
MIN_SIMILARITY = 0.65  # between 0 and 1; a typo in every third letter
MAX_SWAPPED = 8  # letters; in shorter texts, swapping two can change every trigram

NOT_WORD = re.compile(r"[^a-z0-9]+")


def index_names(names: Collection[Name]) -> None:
    """Add new names to the index. Call under the write lock.

    One query and the insertions.
    """
    grams = [(name.pk, text) for name in names for text in trigrams(name.folded)]
    insert_rows(Gram, ("name_id", "text"), grams)
    added = Counter(text for _, text in grams)
    counts = Counter(_counts(frozenset(added))) + added
    GramCount.objects.bulk_create(
        (GramCount(text=text, names=counts[text]) for text in sorted(added)),
        update_conflicts=True,
        unique_fields=["text"],
        update_fields=["names"],
    )


def rebuild_counts() -> None:
    """Recount all trigrams. Call under the write lock."""
    GramCount.objects.all().delete()
    counts = Gram.objects.values_list("text").annotate(names=Count("pk")).order_by()
    GramCount.objects.bulk_create(GramCount(text=text, names=names) for text, names in counts)


def query_words(query: str) -> tuple[str, ...]:
    """Return the folded words of a query, at most eight."""
    return tuple(filter(None, NOT_WORD.split(query[:MAX_QUERY].lower())))[:MAX_WORDS]


def names_containing(query: str) -> QuerySet[Name]:
    """Return the names that contain every word of a query, folded, in any order.

    Reads the counts of trigrams in one query, and in one more for each word of one or two letters.
    An empty query matches no name.
    """
    words = query_words(query)
    rarest = _rarest(words)
    if not rarest:
        return Name.objects.none()
    names = Name.objects.all()
    for word in words:
        names = names.filter(folded__contains=word)
    if sum(rarest.values()) <= MAX_INDEXED:
        names = names.filter(pk__in=Gram.objects.filter(text__in=rarest).values("name"))
    return names


def _rarest(words: Collection[str]) -> dict[str, int]:
    """Return trigrams, with counts, of which every name with all the words contains at least one.

    Of all such sets, the one with the fewest names; empty if no name contains the words.
    """
    grams = frozenset[str]().union(*(trigrams(word) for word in words if len(word) >= GRAM_LENGTH))
    counts = _counts(grams) if grams else {}
    candidates = [{gram: counts.get(gram, 0)} for gram in sorted(grams)]
    for word in words:
        if len(word) < GRAM_LENGTH:
            containing = GramCount.objects.filter(text__contains=word)
            candidates.append(dict(containing.values_list("text", "names")))
    best = min(candidates, key=lambda candidate: sum(candidate.values()), default={})
    return best if sum(best.values()) else {}


def similar_tags(text: str) -> tuple[str, ...]:
    """Return up to five tags whose names are most similar to a text. Three queries."""
    query = fold_name(text[:MAX_QUERY])[:MAX_COMPARED]
    counts = _counts(frozenset().union(*map(trigrams, _spellings(query))))
    chosen: list[str] = []
    postings = 0
    for gram in sorted(counts, key=lambda gram: (counts[gram], gram)):
        postings += counts[gram]
        if chosen and postings > MAX_POSTINGS:
            break
        chosen.append(gram)
    shared = Gram.objects.filter(text__in=chosen).values("name").annotate(shared=Count("pk"))
    names = [row["name"] for row in shared.order_by("-shared", "name")[:MAX_CANDIDATES]]
    scores: dict[str, float] = {}
    for tag, name in Name.objects.filter(pk__in=names).values_list("tag__text", "text"):
        scores[tag] = max(scores.get(tag, 0.0), _similarity(query, name))
    best = sorted(scores, key=lambda tag: (-scores[tag], tag))
    return tuple(tag for tag in best if scores[tag] >= MIN_SIMILARITY)[:MAX_SIMILAR]


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
    best = max((_text_similarity(query, part) for part in candidates), default=0.0)
    return 0.9 * best + 0.1 * _text_similarity(query, "".join(words)[:MAX_COMPARED])


def _text_similarity(query: str, part: str) -> float:
    return 1 - edit_distance(query, part) / max(len(query), len(part))


def _counts(grams: frozenset[str]) -> dict[str, int]:
    """Return the number of names that contain each trigram, if any. One query."""
    return dict(GramCount.objects.filter(text__in=grams).values_list("text", "names"))
