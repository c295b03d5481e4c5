"""Finds the machines nearest to one that no tag describes, and says what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from registry.domain.names.name_folding import edit_distance
from registry.domain.search.missing_products import stem_of
from registry.domain.search.query_words import Role
from registry.domain.search.search_terms import split_words
from registry.models import Entry
from registry.models.search_index import EntryQuerySet
from registry.services.search import near_names
from registry.services.search.query_reading import is_brand
from registry.services.search.query_terms import QueryTerms, Word
from registry.services.search.ranking import SortedMatches

MAX_NEAREST = 5
LINEAGE = ("family", "arch")  # columns of entries that members of a series share
MAX_DIFFERENCE = 0.5  # of a word's letters; beyond, another word is no neighbour of it


def find_nearest(
    text: str, query: QueryTerms, ranked: SortedMatches, select: Callable[[], EntryQuerySet]
) -> tuple[Entry, ...]:
    """Return up to five of the selected entries that are other machines, with what differs.

    They match the words but not the facts; without any result, their names are similar. Nothing is
    near a product whose very name no tag has.
    """
    differs = ranked.exclusions.differs
    nearest = list(ranked.others[:MAX_NEAREST])
    names: tuple[str, ...] = ()
    if not ranked.tags and not nearest and not any(is_brand(word.text) for word in query.lacking):
        names = near_names.similar_tags(text)
    if not nearest and not names:
        return ()
    if nearest:
        by_pk = select().with_version().in_bulk(nearest)
        chosen = [by_pk[pk] for pk in nearest if pk in by_pk]
    else:
        rows = select().filter(text__in=names).with_version()
        by_name = sorted(rows, key=lambda entry: names.index(entry.text))
        chosen = sorted(by_name, key=lambda entry: _distance(entry.text, query.lacking))
    lineages = _lineages(chosen, query.lacking)
    for entry in chosen:
        words = () if entry.pk in differs else _other_words(entry.text, query)
        facts = _other_facts(entry, lineages)
        entry.differs = (*differs.get(entry.pk, ()), *words, *facts)
    return tuple(chosen)


def _lineages(entries: Sequence[Entry], lacking: Sequence[Word]) -> Mapping[str, str]:
    """Return the family and architecture that all names of the missing machine's series share.

    Nothing else is known of a machine without a tag: an RTX 5095 would be one of the RTX 50.
    """
    stems = tuple(stem for word in lacking if (stem := stem_of(word.text)))
    series = [
        entry
        for entry in entries
        if any(part.startswith(stems) for part in split_words(entry.text)) and stems
    ]
    values = {fact: {getattr(entry, fact) for entry in series} for fact in LINEAGE}
    return {fact: min(texts) for fact, texts in values.items() if len(texts) == 1}


def _other_facts(entry: Entry, lineages: Mapping[str, str]) -> Iterator[str]:
    """Yield the facts of an entry that are others than those of the missing machine's series."""
    for fact, expected in lineages.items():
        value = getattr(entry, fact)
        if value and expected and value != expected:
            yield f"{value}, not {expected}"


def _distance(name: str, words: Sequence[Word]) -> int:
    """Return how far the words of a name are from those that no tag has."""
    parts = split_words(name)
    return sum(min(edit_distance(word.text, part) for part in parts) for word in words)


def _other_words(name: str, query: QueryTerms) -> Iterator[str]:
    """Yield the words that a name has in place of those of a search."""
    parts = split_words(name.partition("/")[2])
    words = [word for word in (*query.words, *query.lacking) if word.role is Role.DECIDES]
    joined = {"".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, i + 4)}
    for word in words:
        if word.text not in joined and not any(word.accepts(part) for part in joined):
            yield _in_place_of(word, parts)


def _in_place_of(word: Word, parts: Sequence[str]) -> str:
    numbers = [part for part in parts if any(character.isdigit() for character in part)]
    distances = [(edit_distance(word.text, part), part) for part in numbers]
    distance, part = min(distances, default=(len(word.text), ""))
    if distance <= MAX_DIFFERENCE * len(word.text):
        return f"{part}, not {word.spelling}"
    return f"not {word.spelling}"
