"""Finds the machines nearest to one that no tag describes, and says what differs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from registry.domain.names.name_folding import edit_distance
from registry.domain.search.name_differences import name_differences
from registry.domain.search.query_words import WordRole, query_words
from registry.domain.search.search_terms import has_digit, split_words
from registry.domain.search.shared_facts import Machine, differences
from registry.models import Attribute, Entry
from registry.models.planner_hints import OneOf
from registry.models.search_index import EntryQuerySet
from registry.services.search import near_names
from registry.services.search.number_answers import contradictions, number_answers
from registry.services.search.query_terms import QueryTerms, Word
from registry.services.search.ranking import SortedMatches
from registry.services.search.series import SeriesMembers
from registry.services.search.vocabulary import is_brand
from ttag_rules.compatibility.processors import KINDS
from ttag_rules.compatibility.tables import shipped_tables

MAX_NEAREST = 5


def find_nearest(
    text: str,
    query: QueryTerms,
    ranked: SortedMatches,
    members: SeriesMembers | None,
    select: Callable[[], EntryQuerySet],
) -> tuple[Entry, ...]:
    """Return up to five of the selected entries that are other machines, with what differs.

    They match the words but not the facts; without any result, their names are similar. Nothing is
    near a product whose very name no tag has.
    """
    if others := ranked.others[:MAX_NEAREST]:
        by_pk = select().with_version().in_bulk(others)
        entries = [by_pk[pk] for pk in others if pk in by_pk]
        differs = {entry.pk: ranked.exclusions.differs[entry.pk] for entry in entries}
    elif names := _similar_names(text, query, ranked):
        entries = _by_distance(select().filter(text__in=names).with_version(), names, query)
        differs = _of_names(text, query, {entry.pk: names[entry.text] for entry in entries})
    else:
        return ()
    facts = _of_series(entries, members)
    for entry in entries:
        entry.differs = (*differs[entry.pk], *facts.get(entry.pk, ()))
    return tuple(entries)


def _similar_names(text: str, query: QueryTerms, ranked: SortedMatches) -> Mapping[str, str]:
    """Return tags with similar names, if there are no results and no brand is lacking.

    If only letters are lacking, the rest is looked for: a `kaggle p100` is near to a P100.
    """
    if ranked.tags or any(is_brand(word.text) for word in query.lacking):
        return {}
    rest = " ".join(word.spelling for word in query.words if word.decides)
    has_numbers = all(word.role is not WordRole.DECIDES for word in query.lacking)
    return near_names.similar_names(rest if query.lacking and has_numbers and rest else text)


def _by_distance(rows: EntryQuerySet, names: Mapping[str, str], query: QueryTerms) -> list[Entry]:
    """Return entries whose names have most words first, then those nearest to the others."""
    places = list(names)

    def order(entry: Entry) -> tuple[int, int, int]:
        name = names[entry.text]
        lacking = near_names.lacking_words(name, query.deciding)
        return lacking, _distance(name, query.lacking), places.index(entry.text)

    return sorted(rows, key=order)


def _distance(name: str, words: Sequence[Word]) -> int:
    """Return how far the words of a name are from those that no tag has."""
    parts = split_words(name)
    return sum(min(edit_distance(word.text, part) for part in parts) for word in words)


def _of_names(text: str, query: QueryTerms, names: Mapping[int, str]) -> dict[int, tuple[str, ...]]:
    """Return how names, by the primary keys of their tags, and facts differ from a search.

    One query, if the search has numbers.
    """
    words = query_words(text)
    phrases = (*query.ignored, *(number.text for number in query.numbers))
    beside = {word for phrase in phrases for word in split_words(phrase)}
    deciding = {word for word in words if has_digit(word)} - beside
    deciding |= {word.text for word in query.lacking}
    answers = number_answers(names, query.numbers)
    differs = {}
    for pk, name in names.items():
        facts = contradictions(answers.get(pk, ()))
        own = (*name_differences(words, deciding, name), *facts)
        differs[pk] = own or name_differences(words, words, name) or (f"is named {name}",)
    return differs


# Decision 155: of a machine without a tag, only what all others of its series share is assumed.
def _of_series(
    entries: Sequence[Entry], members: SeriesMembers | None
) -> Mapping[int, tuple[str, ...]]:
    """Return what entries, by primary key, are and have otherwise than all members of a series.

    At most one query.
    """
    if not members or not members.lineage or not entries:
        return {}
    machines = {entry.pk: Machine(entry.kind, entry.family, entry.arch) for entry in entries}
    series = dict(members.lineage)
    if any(machine.kind in KINDS for machine in machines.values()):
        processors = _processors({*series, *machines})
        for each in (machines, series):
            each.update({pk: replace(each[pk], **processors.get(pk, {})) for pk in each})
    tables, others = shipped_tables(), list(series.values())
    return {pk: tuple(differences(machine, others, tables)) for pk, machine in machines.items()}


def _processors(tags: Collection[int]) -> Mapping[int, dict[str, Any]]:
    """Return the processors of the roots of tags, and the features that are switched. One query."""
    processors: dict[int, dict[str, Any]] = defaultdict(dict)
    rows = Attribute.objects.filter(OneOf("tag", tags), name__in=("mcpu", "mattr")).order_by()
    for _, tag, pointer, text in sorted(rows.values_list("pk", "tag", "pointer", "text")):
        if pointer == "/mcpu":
            processors[tag]["mcpu"] = text
        elif pointer == "/mattr":
            processors[tag]["mattr"] = (*processors[tag].get("mattr", ()), text)
    return processors
