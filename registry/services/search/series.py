"""Finds the tags of the series that a machine without a tag would belong to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from registry.domain.search.search_terms import LAST, TermField, split_words, weight
from registry.domain.search.series import Series, series_of
from registry.domain.search.shared_facts import Machine
from registry.domain.search.word_lists import BESIDE_NAMES, CARD_MAKERS, STOP_WORDS
from registry.models import Posting, Status
from registry.models.combined_queries import rows_of_each

MIN_MEMBERS = 2  # names of a series; a single one is no series
MAX_MEMBERS = 100  # that are counted
MAX_ROWS = 300  # terms of them that are read
# Terms of names: of the whole, or of their words.
IN_NAMES = Q(weight__lt=weight(TermField.PRODUCT, 0)) | Q(
    weight__gte=weight(TermField.WORD, 0), weight__lt=weight(TermField.MODEL, 0)
)


@dataclass(frozen=True, slots=True)
class SeriesMembers:
    """A series with the machines that are named after it, by the primary keys of their tags.

    It is certain if their names have all words before the number that was looked for: a Pentium
    Gold is none of the Xeons that are named `gold 54`, too.
    """

    series: Series
    machines: Mapping[int, Machine]
    is_certain: bool
    is_capped: bool  # there may be others

    @property
    def lineage(self) -> Mapping[int, Machine]:
        """Return the machines that tell what one more would be; none if they tell nothing."""
        tells = self.is_certain and self.series.is_numbered and not self.is_capped
        return self.machines if tells else {}


def find_members(text: str, word: str) -> SeriesMembers | None:
    """Return the narrowest series of a word that several tags are named after, with these.

    None if one of them has the word. At most one query.
    """
    candidates = series_of(text, word) if word else ()
    rows = rows_of_each([_named(series) for series in candidates])
    for series, terms in zip(candidates, rows, strict=True):
        named = [(tag, name, facts) for term, tag, name, *facts in terms if series.has(term)]
        machines = {tag: Machine(*facts) for tag, _, facts in named}
        if len(machines) >= MIN_MEMBERS:
            names = [split_words(name) for _, name, _ in named]
            is_certain = all(map(_words_before(text, word).issubset, names))
            is_capped = len(machines) >= MAX_MEMBERS or len(terms) > MAX_ROWS
            members = SeriesMembers(series, machines, is_certain, is_capped)
            return None if any(word in words for words in names) else members
    return None


def _words_before(text: str, word: str) -> set[str]:
    """Return the words before another one that name a machine."""
    words = split_words(text)
    return {*words[: words.index(word)]} - BESIDE_NAMES - CARD_MAKERS - STOP_WORDS


def _named(series: Series) -> QuerySet[Posting, Any]:
    """Select terms of tags that are named after a series, with the names and facts of these."""
    terms = Posting.objects.filter(
        IN_NAMES, term__gt=series.prefix, term__lt=series.prefix + LAST
    ).exclude(Q(tag__entry__text__contains=":") | Q(tag__entry__status=Status.DEPRECATED))
    facts = ("tag__entry__text", "tag__entry__kind", "tag__entry__family", "tag__entry__arch")
    return terms.order_by().values_list("term", "tag", *facts)[: MAX_ROWS + 1]
