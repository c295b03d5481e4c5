"""Finds the tags that match the words of a search, within bounded time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.lookups import IsNull

from registry.domain.search.query_words import MAX_WEAK, WordRole
from registry.domain.search.search_terms import LAST, TermField, weight
from registry.domain.search.word_lists import BESIDE_NAMES, CARD_MAKERS
from registry.models import Entry, Posting
from registry.models.combined_queries import rows_of_each
from registry.models.planner_hints import OneOf, Unindexed
from registry.services.search.filters import MAX_LEADING, CountedFilter, check_each, count_filters
from registry.services.search.query_reading import with_groups, without_corrections
from registry.services.search.query_terms import QueryTerms, Word

BATCH = 500  # tags that are checked at a time
MAX_SMALL = 1_000  # tags of terms that are read together
MIN_LONE = 6  # letters of a word that names a machine among others that no tag has
MAX_EXAMINED = 2_500  # tags with the rarest word that are checked one by one

AFTER_NAMES = weight(TermField.PRODUCT, 0)

MatchedTerms = dict[str, int]  # the terms of a tag that words match, with their weights


@dataclass(frozen=True, slots=True)
class Matches:
    """The matching tags with their terms, by primary key, and the words that they match.

    `names` are the words of the search as one, and those that they match. `group` is the word that
    the names only begin with.
    """

    tags: Mapping[int, MatchedTerms]
    words: tuple[Word, ...]
    names: tuple[str, ...]
    ignored: tuple[str, ...]
    is_capped: bool
    group: Word | None = None

    @property
    def beginning(self) -> str:
        """Return the words that the names of a group begin with: `rtx 40`; empty for no group."""
        if self.group is None:
            return ""
        start = self.words.index(self.group)
        spellings = [word.spelling for word in self.words[: start + 1]]
        runs = (spellings[first:] for first in range(start + 1))
        joined = (" ".join(run) for run in runs if "".join(run) in self.group.prefixes)
        return next(joined, self.group.spelling)


# Decision 143: what decides is never left out, so that no other machine is an answer.
def find_matches(query: QueryTerms, filters: Iterable[QuerySet[Any]], limit: int) -> Matches:
    """Return up to `limit` tags that have all deciding words.

    If there are none, words with digits may be beginnings; then words that may have been misspelt
    are left out. Each of the filters has a row for the tags, in a column `tag`.
    """
    if query.lacking or not query.words:
        return Matches({}, query.words, (query.whole,), (), is_capped=False)
    counted = count_filters(filters)
    for deciding in _alternatives(query):
        words, names = deciding.words, deciding.names
        tags, is_capped = _Search(words, names, counted).with_all(deciding.deciding, limit)
        if tags and _are_named(deciding, names, tags.values()):
            ignored = tuple(_ignored(query, deciding, tags.values()))
            return Matches(tags, words, names, ignored, is_capped, _group(words, tags.values()))
    return Matches({}, query.words, (query.whole,), (), is_capped=False)


def _alternatives(query: QueryTerms) -> Iterator[QueryTerms]:
    """Yield the readings of a search, the most certain first."""
    yield query
    if (grouped := with_groups(query)) is not None:
        yield grouped
    if (certain := without_corrections(query)) is not None:
        yield certain


def _group(words: Iterable[Word], tags: Collection[MatchedTerms]) -> Word | None:
    """Return the word that names only begin with; None if tags have all words as they are."""
    beginnings = (word for word in words if word.is_beginning)
    return next((word for word in beginnings if not all(map(word.is_in, tags))), None)


def _are_named(query: QueryTerms, names: Collection[str], tags: Collection[MatchedTerms]) -> bool:
    """Return whether what is left of a search is enough: without a product's number, a name.

    One short word is none: a Kyocera Qua phone is no Razer Phone. The r9 of `radeon r9 fury` is no
    number of a product.
    """
    if not left_out(query) or any(map(_is_product, query.words)):
        return True
    word, *others = query.deciding
    if not others and word.role is WordRole.NAMES and len(word.text) < MIN_LONE:
        return False
    return any(terms.get(name, AFTER_NAMES) < AFTER_NAMES for terms in tags for name in names)


def left_out(query: QueryTerms) -> set[str]:
    """Return the words of a search that no tag has and that may be of a name."""
    return set(query.unknown) - BESIDE_NAMES - CARD_MAKERS - query.measures


def _is_product(word: Word) -> bool:
    return word.role is WordRole.DECIDES and len(word.text) > MAX_WEAK


def _ignored(
    query: QueryTerms, reading: QueryTerms, tags: Collection[MatchedTerms]
) -> Iterator[str]:
    """Yield the words that no match has, and versions and interfaces that are in no name."""
    kept = {
        word.text
        for word in reading.words
        if word.decides or any(word.accepts(term) for terms in tags for term in terms)
    }
    words = [word for word in query.words if word.text not in kept]
    spellings = {word.spelling for word in query.words if word.text in kept}
    numbers = {number.text for number in query.numbers}
    yield from (text for text in query.unknown if text not in numbers)
    phrases = numbers.union(query.ignored)
    yield from (word.spelling for word in words if word.spelling not in phrases)
    yield from (text for text in query.ignored if text not in spellings)


@dataclass(frozen=True, slots=True)
class _Search:
    """The words of a search, the whole names, and its filters, the most selective first."""

    words: Sequence[Word]
    names: tuple[str, ...]
    filters: Sequence[CountedFilter]

    def with_all(self, words: Sequence[Word], limit: int) -> tuple[dict[int, MatchedTerms], bool]:
        """Return up to `limit` tags with all words and their terms, and whether there are more."""
        if not words:
            return {}, False
        matches: dict[int, MatchedTerms] = {}
        candidates, is_complete = self._candidates(words, limit)
        for start in range(0, len(candidates), BATCH):
            matches |= self._matching(candidates[start : start + BATCH], words)
            if len(matches) > limit:
                break
        if not matches and not is_complete:
            matches = self._matching(self._scan(words), words)
        return dict(islice(matches.items(), limit)), len(matches) > limit or not is_complete

    def _candidates(self, words: Sequence[Word], limit: int) -> tuple[list[int], bool]:
        """Return the tags to check, the best first, and whether no others can match."""
        rarest = min(words, key=lambda word: word.tags)
        if self.filters and self.filters[0].total < min(rarest.tags, MAX_LEADING):
            return list(self.filters[0].rows.order_by().values_list("tag", flat=True)), True
        most = limit + 1 if len(words) == 1 and not self.filters else MAX_EXAMINED
        tags = list(first_tags(rarest, most))
        is_complete = len(tags) < most
        for word in words:
            if len(tags) > BATCH and word is not rarest and word.is_exhaustive(MAX_EXAMINED):
                having = set(first_tags(word, MAX_EXAMINED))
                tags = [tag for tag in tags if tag in having]
        return tags, is_complete

    def _matching(self, tags: Sequence[int], words: Sequence[Word]) -> dict[int, MatchedTerms]:
        """Return those of some tags that have all words and meet all filters, with their terms."""

        @cache
        def accepting(term: str) -> frozenset[int]:
            return frozenset(index for index, word in enumerate(words) if word.accepts(term))

        return {
            tag: terms
            for tag, terms in self._terms(self._filtered(tags)).items()
            if len(frozenset().union(*map(accepting, terms))) == len(words)
        }

    def _filtered(self, tags: Sequence[int]) -> Sequence[int]:
        if not self.filters or not tags:
            return tags
        rows = check_each(Entry.objects.filter(OneOf("pk", tags)), "pk", self.filters)
        meeting = set(rows.order_by().values_list("pk", flat=True))
        return [tag for tag in tags if tag in meeting]

    def _terms(self, tags: Sequence[int]) -> dict[int, MatchedTerms]:
        """Return the terms of tags that words may match, and whole names. One query."""
        terms: dict[int, MatchedTerms] = {tag: {} for tag in tags}
        if not tags:
            return terms
        own = {term for word in self.words for term in (*word.terms, *word.joined)}
        condition = Q(term__in=own.union(self.names))
        for prefix in {prefix for word in self.words for prefix in word.prefixes}:
            condition |= Q(text__gt=prefix, text__lt=prefix + LAST)
        postings = Posting.objects.alias(text=Unindexed("term"))
        rows = postings.filter(OneOf("tag", tags), condition).order_by()
        for tag, term, number in rows.values_list("tag", "term", "weight"):
            terms[tag][term] = number
        return terms

    def _scan(self, words: Sequence[Word]) -> list[int]:
        """Return tags among all with the rarest word that have the others and meet all filters.

        Reads further than `_candidates`, for words that are common but seldom in one tag.
        """
        rarest, *others = sorted(words, key=lambda word: word.tags)
        postings = Posting.objects.filter(term__in=rarest.counts)
        for word in others:
            rows = Posting.objects.filter(tag=OuterRef("tag"), term__in=word.counts)
            postings = postings.filter(IsNull(Subquery(rows.order_by().values("pk")[:1]), False))
        tags = check_each(postings, "tag", self.filters).order_by().values_list("tag", flat=True)
        return list(dict.fromkeys(tags[:BATCH]))


def first_tags(word: Word, limit: int) -> Iterator[int]:
    """Return up to `limit` tags that have a word, first those of its own terms.

    Terms that many tags have are read one by one in the order of a database index, which has the
    tags that a term tells most about first. Of others, several are read together.
    """
    tags: dict[int, None] = {}
    for terms in _groups(word):
        if len(tags) >= limit:
            break
        tags |= dict.fromkeys(_first(terms, limit))
    return islice(tags, limit)


def sample_tags(words: Iterable[Word], limit: int) -> set[int]:
    """Return tags that have one of some words, of each up to `limit` and some more. One query.

    Of a word whose terms often are in one tag, fewer are returned.
    """
    queries = [_first(terms, limit) for word in words for terms in _sampled_groups(word, limit)]
    return {tag for rows in rows_of_each(queries) for (tag,) in rows}


def _sampled_groups(word: Word, limit: int) -> Iterator[list[str]]:
    """Yield the first groups of a word's terms, until at least `limit` tags have them."""
    counts = word.counts
    total = 0
    for terms in _groups(word):
        if total >= limit:
            return
        yield terms
        total += sum(counts[term] for term in terms)


def _first(terms: Sequence[str], limit: int) -> QuerySet[Posting, Any]:
    """Select the tags of some terms, first those that the terms tell most about."""
    rows = Posting.objects.filter(term__in=terms).order_by("weight", "tag")
    return rows.values_list("tag", flat=True)[:limit]


def _groups(word: Word) -> Iterator[list[str]]:
    """Yield the terms of a word, together while they are those of few tags."""
    for counts in ({**word.joined, **word.terms}, word.completed):
        group: list[str] = []
        total = 0
        for term, count in counts.items():
            if group and total + count > MAX_SMALL:
                yield group
                group, total = [], 0
            group.append(term)
            total += count
        if group:
            yield group
