"""Writes which terms tags have, and the vocabulary: how many tags have each, and its words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping

from registry.domain.search.search_terms import Terms
from registry.models import Posting, Term, TermGram
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.models.row_insertion import delete_rows, insert_rows
from registry.services.search.spelling import is_correctable, word_grams

COLUMNS = ("tag_id", "term", "weight")  # of a posting

_postings: PreparedQuery[Posting] = PreparedQuery(
    lambda: Posting.objects.filter(tag__among=PLACEHOLDER).order_by()
)
_vocabulary: PreparedQuery[Term] = PreparedQuery(
    lambda: Term.objects.filter(text__among=PLACEHOLDER).order_by()
)


def replace_terms(tags: Mapping[int, Terms]) -> None:
    """Store the terms of tags, by primary key, in place of others. Call under the write lock.

    Only writes those that differ. At most three queries and the insertions.
    """
    stored = {(row.tag_id, row.term, row.weight): row.pk for row in _postings(tags)}
    wanted = {(tag, *row) for tag, terms in tags.items() for row in terms.weights.items()}
    obsolete, new = stored.keys() - wanted, wanted - stored.keys()
    delete_rows(Posting, [stored[row] for row in obsolete])
    if obsolete or new:
        removed = Counter(term for _, term, _ in obsolete)
        changed = {tag for tag, _, _ in new}
        _insert_postings(sorted(new), removed, [tags[tag] for tag in sorted(changed)])


def insert_terms(tags: Mapping[int, Terms]) -> None:
    """Insert the terms of tags that have none, by primary key. Call under the write lock.

    A query and three insertions.
    """
    rows = [(tag, *row) for tag, terms in tags.items() for row in sorted(terms.weights.items())]
    _insert_postings(rows, {}, tags.values())


def _insert_postings(
    rows: Collection[tuple[int, str, int]], removed: Mapping[str, int], terms: Iterable[Terms]
) -> None:
    """Insert terms of tags, and count them; `removed` says how many tags have lost a term."""
    insert_rows(Posting, COLUMNS, rows)
    counts = Counter(term for _, term, _ in rows)
    counts.subtract(removed)
    words = {word for each in terms for word in each.words if is_correctable(word)}
    _update_vocabulary({term: number for term, number in counts.items() if number}, words)


def forget_unused_terms() -> None:
    """Delete the terms that no tag has, which search ignores. Call under the write lock."""
    unused = Term.objects.filter(tags=0)
    TermGram.objects.filter(term__in=unused.values("text")).delete()
    unused.delete()


def stored_weights(tags: Collection[int]) -> Mapping[int, Mapping[str, int]]:
    """Return the stored terms of tags with their weights, by the tag's primary key. One query."""
    weights: dict[int, dict[str, int]] = defaultdict(dict)
    for row in _postings(tags):
        weights[row.tag_id][row.term] = row.weight
    return weights


def _update_vocabulary(changes: Mapping[str, int], words: Collection[str]) -> None:
    """Change how many tags have each term, and add words and their trigrams."""
    if not changes and not words:
        return
    known = {term.text: (term.tags, term.is_word) for term in _vocabulary({*changes, *words})}
    rows, new_words = [], []
    for text in sorted({*changes, *words}):
        tags, is_word = known.get(text, (0, False))
        row = (tags + changes.get(text, 0), is_word or text in words)
        if row != known.get(text):
            rows.append((text, *row))
        if row[1] and not is_word:
            new_words.append(text)
    insert_rows(Term, ("text", "tags", "is_word"), rows, replacing_by="text")
    grams = ((gram, len(word), word) for word in new_words for gram in word_grams(word))
    insert_rows(TermGram, ("text", "length", "term"), grams)
