"""Writes the terms of tags, the vocabulary, and the trigrams with which search mends typos."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import reduce

from registry.domain.name_folding import trigrams
from registry.domain.search_terms import Terms, name_terms
from registry.models import Name, Posting, Term, TermGram
from registry.models.row_insertion import insert_rows

MIN_MENDED, MAX_MENDED = 4, 20  # characters of a word that a typo can stand for


def add_names(names: Iterable[Name]) -> None:
    """Add new aliases to the terms of their tags. Call under the write lock."""
    aliases: dict[int, list[Terms]] = defaultdict(list)
    for name in names:
        aliases[name.tag_id].append(name_terms(name.text))
    stored = stored_weights(aliases)
    replace_terms(
        {
            tag: reduce(Terms.union, added, Terms(stored[tag], frozenset()))
            for tag, added in aliases.items()
        }
    )


def replace_terms(tags: Mapping[int, Terms]) -> None:
    """Store the terms of tags, by primary key, in place of others. Call under the write lock.

    Only writes the terms of tags whose terms have changed. At most three queries and the
    insertions.
    """
    stored = stored_weights(tags)
    changed = {tag: terms for tag, terms in tags.items() if stored[tag] != terms.weights}
    if changed:
        Posting.objects.filter(tag__in=changed).delete()
        insert_terms(changed, removed=Counter(term for tag in changed for term in stored[tag]))


def insert_terms(tags: Mapping[int, Terms], removed: Mapping[str, int] | None = None) -> None:
    """Insert the terms of tags, by primary key. Call under the write lock.

    `removed` says how many tags have lost a term. A query and three insertions.
    """
    rows = [(tag, *row) for tag, terms in tags.items() for row in sorted(terms.weights.items())]
    insert_rows(Posting, ("tag_id", "term", "weight"), rows)
    counts = Counter(term for _, term, _ in rows)
    counts.subtract(removed or {})
    words = {word for terms in tags.values() for word in terms.words if is_mended(word)}
    _update_vocabulary(counts, words)


def stored_weights(tags: Collection[int]) -> Mapping[int, Mapping[str, int]]:
    """Return the stored terms of tags with their weights, by the tag's primary key. One query."""
    weights: dict[int, dict[str, int]] = defaultdict(dict)
    rows = Posting.objects.filter(tag__in=tags).values_list("tag", "term", "weight")
    for tag, term, number in rows:
        weights[tag][term] = number
    return weights


def is_mended(word: str) -> bool:
    """Return whether a typo can stand for a word."""
    return MIN_MENDED <= len(word) <= MAX_MENDED and not word.isdigit()


def word_grams(word: str) -> list[str]:
    """Return the trigrams of a word between blanks, so that its ends count too."""
    return sorted(trigrams(f" {word} "))


def _update_vocabulary(changes: Mapping[str, int], words: Collection[str]) -> None:
    """Change how many tags have each term, and add words and their trigrams."""
    known = {
        text: (tags, is_word)
        for text, tags, is_word in Term.objects.filter(text__in={*changes, *words}).values_list(
            "text", "tags", "is_word"
        )
    }
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
