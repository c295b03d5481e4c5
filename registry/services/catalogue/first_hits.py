"""Measures how often a search has the hit that people want first, and none where none is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from registry.models import Attribute, Entry
from registry.services.catalogue.near_misses import near_misses
from registry.services.core import shipped_facts
from registry.services.search.search_query import SearchQuery
from registry.services.search.searching import search

AMONG = 3  # hits that people look at before they search again
NEAR_MISSES = 600  # with those of `absent.json`, 1,000 searches
ONE_DIGIT = "One digit away from a name"
FACTS = frozenset({"vendor", "arch", "family", "kind"})  # columns of entries


@dataclass(frozen=True, slots=True)
class Rank:
    """A search, what its first hit may be, and its first hits. `place` counts from 0."""

    text: str
    wanted: tuple[str, ...]
    hits: tuple[str, ...]
    place: int | None

    @property
    def is_first(self) -> bool:
        return self.place == 0

    @property
    def is_among_first(self) -> bool:
        return self.place is not None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a search for a machine that no tag describes.

    `hit` is the first result, empty if there is none; `reserve` is the word that its name only
    begins with, a number that its facts do not state, or the product that is said to be missing.
    """

    text: str
    hit: str
    reserve: str

    @property
    def is_false(self) -> bool:
        """Return whether a tag is given for another machine without a word."""
        return bool(self.hit) and not self.reserve


def measure_absent(generated: int) -> dict[str, list[Answer]]:
    """Return the answers to searches for what is absent, by group.

    They are those of the catalogue's `absent.json`, and some that are made of names of tags.
    """
    groups = {**shipped_facts.absent(), ONE_DIGIT: near_misses(generated)}
    return {group: [_answer(text) for text in texts] for group, texts in groups.items()}


def _answer(text: str) -> Answer:
    results = search(SearchQuery(text, limit=AMONG))
    if not results.entries:
        return Answer(text, "", "")
    first = results.entries[0]
    missing = ", ".join(product.product for product in results.missing)
    return Answer(text, first.text, results.beginning or ", ".join(first.unstated) or missing)


def measure() -> list[Rank]:
    """Return the rank of each search of the catalogue's `first_hits.json`."""
    return [
        _rank(text, wanted)
        for searches in shipped_facts.first_hits().values()
        for text, wanted in searches.items()
    ]


def _rank(text: str, wanted: Sequence[str]) -> Rank:
    entries = search(SearchQuery(text)).entries[:AMONG]
    places = (place for place, entry in enumerate(entries) if is_wanted(entry, wanted))
    hits = tuple(entry.text for entry in entries)
    return Rank(text, tuple(wanted), hits, next(places, None))


def is_wanted(entry: Entry, wanted: Sequence[str]) -> bool:
    """Return whether an entry matches one of the patterns of tags, or of values `name=pattern`."""
    for pattern in wanted:
        name, _, value_pattern = pattern.partition("=")
        texts = _values(entry, name) if value_pattern else [entry.text]
        if any(fnmatchcase(text, value_pattern or pattern) for text in texts):
            return True
    return False


def _values(entry: Entry, name: str) -> Iterator[str]:
    """Yield a fact of an entry and the values of its attributes of that name."""
    if name in FACTS:
        yield str(getattr(entry, name))
    yield from Attribute.objects.filter(tag=entry.pk, name=name).values_list("text", flat=True)
