"""Sorts the matches of a text: by how well they match its words, by use, date or a fact."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from registry.domain.search.comparable_facts import FactOrder
from registry.domain.search.search_terms import TermField, weight_parts
from registry.models import Entry, Status
from registry.models.planner_hints import OneOf
from registry.services.search.exclusions import Exclusions, MatchedTag, find_exclusions
from registry.services.search.facets import COLUMNS, Group, is_listed, with_namespaces
from registry.services.search.matching import AFTER_NAMES, MatchedTerms, Matches
from registry.services.search.orders import Sort, fact_keys
from registry.services.search.query_terms import QueryTerms, Word

STATED, UNSTATED = range(2)  # of an order by a fact: the tags without it come last
EXACT, WHOLE, PARTS = range(3)  # ranks, best first: the name itself, its letters, words
STATUS_ORDER = tuple(Status.values)  # active tags come first

Match = tuple[float, TermField, int]  # what a term costs, its field, and the size of the name

COSTS: Mapping[TermField, float] = {
    TermField.NAME: 0,
    TermField.PRODUCT: 0,
    TermField.VENDOR: 0.4,
    TermField.FACT: 0.5,
    TermField.WORD: 1,
    TermField.MODEL: 2,
    TermField.DETAIL: 3,
    TermField.CODE: 4,
    TermField.PART: 6,
}
FAR: Match = (10.0, TermField.PART, 0)
AS_A_FACT: Match = (COSTS[TermField.FACT], TermField.FACT, 0)
COST_OF_JOINED = -0.5  # neighbours that are neighbours in the search too
COST_OF_REPEATED = -0.2  # for a word that is in the name and a whole fact as well
COST_OF_COMPLETING = 3.5
COST_OF_COMPLETING_NAME = 1.0
COST_OF_CORRECTING = 4.0
COST_OF_FAMILY = 4.0  # people build for machines
COST_OF_OTHER_WORD = 0.3  # in the name, that the search does not have

SortKey = tuple[Any, ...]  # orders the matches of a text, the best one first
Row = Mapping[str, Any]
RANKED = ("pk", "text", "version", "tag__recent_usage__resolves", "tag__is_family", "published")


@dataclass(frozen=True, slots=True)
class SortedMatches:
    """The results of a text: groups of them and of the hidden ones, and tags with their keys.

    `others` are matches that are other machines, the best first.
    """

    groups: list[Group]
    hidden: list[Group]
    tags: list[tuple[SortKey, int]]
    others: list[int]
    exclusions: Exclusions


def sort_matches(
    query: QueryTerms,
    text: str,
    sort: Sort | FactOrder,
    facts: Mapping[str, str],
    matches: Matches,
    *,
    finds_named: Callable[[], bool],
) -> SortedMatches:
    """Return the matches that are machines of a search, sorted, and the others.

    `finds_named` says whether the text finds a machine that it names without the filters; then the
    others follow it. Two queries, one more to sort by a fact, and one more to compare numbers.
    """
    entries = Entry.objects.filter(OneOf("pk", matches.tags)).order_by()
    if sort is Sort.PUBLISHED:
        entries = entries.filter(version__isnull=False)
    rows = list(entries.values(*RANKED, *COLUMNS))
    ranking = Ranking(text, matches.names, matches.words)
    exclusions = ranking.exclusions(rows, matches, query, finds_named)
    ranking = replace(ranking, others=exclusions.others, unstated=exclusions.unstated)
    rest = [row for row in rows if row["pk"] in exclusions.differs]
    rows = [row for row in rows if row["pk"] not in exclusions.differs]
    listed = [row for row in rows if ranking.lists(row, matches.tags[row["pk"]], facts)] or rows
    keys = _sort_keys(ranking, sort, matches, listed)
    # One query for the namespaces of both.
    groups = with_namespaces([(*(row[column] for column in COLUMNS), 1) for row in rows])
    pks = {row["pk"] for row in listed}
    is_shown = [row["pk"] in pks for row in rows]
    by_rank = sorted(rest, key=lambda row: ranking.sort_key(row, matches.tags[row["pk"]]))
    return SortedMatches(
        [group for group, shown in zip(groups, is_shown, strict=True) if shown],
        [group for group, shown in zip(groups, is_shown, strict=True) if not shown],
        sorted((key, tag) for tag, key in keys.items()),
        [row["pk"] for row in by_rank if is_listed(row["status"], facts)],
        exclusions,
    )


def _sort_keys(
    ranking: Ranking, sort: Sort | FactOrder, matches: Matches, rows: list[dict[str, Any]]
) -> Mapping[int, SortKey]:
    best = {row["pk"]: ranking.sort_key(row, matches.tags[row["pk"]]) for row in rows}
    if isinstance(sort, FactOrder):
        stated = fact_keys(sort, best)
        return {
            tag: (STATED, *stated[tag]) if tag in stated else (UNSTATED, *key)
            for tag, key in best.items()
        }
    if sort is Sort.PUBLISHED:
        return {row["pk"]: (-row["version"],) for row in rows}
    if sort is Sort.USED:
        return {row["pk"]: (-_resolves(row), row["text"]) for row in rows}
    return best


def count_unstated(sort: Sort | FactOrder, keys: Iterable[SortKey]) -> int | None:
    """Return how many of the sort keys are of tags without the fact; None for other orders."""
    if not isinstance(sort, FactOrder):
        return None
    return sum(1 for key in keys if key[0] == UNSTATED)


def _resolves(row: Row) -> int:
    return row["tag__recent_usage__resolves"] or 0


@dataclass(frozen=True)
class Ranking:
    """Ranks the matches of a search.

    Exact names come first, then those that have just the letters of the search, one of `names`;
    then tags by where the words are, and how certainly, those in `others` and `unstated` last.
    Machines come before families, then tags by use, the latest first.
    """

    text: str
    names: Collection[str]
    words: Sequence[Word]
    others: Collection[int] = ()
    unstated: Collection[int] = ()
    _costs: dict[tuple[str, int], list[tuple[int, Match]]] = field(default_factory=dict)

    def exclusions(
        self,
        rows: Sequence[Row],
        matches: Matches,
        query: QueryTerms,
        finds_named: Callable[[], bool],
    ) -> Exclusions:
        """Return which of the matches are other machines, unless their whole name matches."""
        exact = {
            row["pk"] for row in rows if self._rank(row["text"], matches.tags[row["pk"]]) < PARTS
        }
        tags = {row["pk"]: MatchedTag(row["text"], row["kind"]) for row in rows}
        return find_exclusions(tags, exact, matches, query, finds_named)

    def lists(self, row: Row, terms: MatchedTerms, facts: Mapping[str, str]) -> bool:
        """Return whether a list with these facts has a match, or its whole name finds it."""
        return is_listed(row["status"], facts) or self._rank(row["text"], terms) < PARTS

    def sort_key(self, row: Row, terms: MatchedTerms) -> SortKey:
        """Return the sort key of a match with these terms, the lowest for the best one."""
        rank = self._rank(row["text"], terms)
        return (
            rank,
            row["pk"] in self.others,
            row["pk"] in self.unstated,
            0 if rank < PARTS else round(self._cost(terms, is_family=row["tag__is_family"]), 2),
            STATUS_ORDER.index(row["status"]),
            row["tag__is_family"],
            -_resolves(row),
            -row["published"].toordinal() if row["published"] else 0,
            len(row["text"]),
            row["text"],
        )

    def _rank(self, text: str, terms: MatchedTerms) -> int:
        if text == self.text.strip():
            return EXACT
        names = self.names if self._names_machines else ()
        is_whole = any(name in terms and terms[name] < AFTER_NAMES for name in names)
        return WHOLE if is_whole else PARTS

    @property
    def _names_machines(self) -> bool:
        """Return whether a word names something: `gpus` is no `acme/gpu`, but all."""
        return any(word.decides for word in self.words)

    def _cost(self, terms: MatchedTerms, *, is_family: bool) -> float:
        """Return how far the terms of a tag are from the words of the search."""
        nearest = [FAR] * len(self.words)
        for term in terms.items():
            for index, match in self._matches(term):
                nearest[index] = min(nearest[index], match)
        if not self._names_machines:
            nearest = [max(match, AS_A_FACT) for match in nearest]
        sizes = [size for _, field, size in nearest if field in (TermField.NAME, TermField.WORD)]
        others = max(0, min(sizes) - len(self.words)) if sizes else 0
        is_name = any(field is TermField.NAME for _, field, _ in nearest)
        cost = sum(cost for cost, _, _ in nearest) + others * COST_OF_OTHER_WORD
        return cost + (COST_OF_FAMILY if is_family and not is_name else 0)

    def _matches(self, term: tuple[str, int]) -> list[tuple[int, Match]]:
        """Return the words, by index, that a term with its weight matches, and how well.

        Many tags have the same terms with the same weights.
        """
        if term not in self._costs:
            matches = ((index, match_of(word, *term)) for index, word in enumerate(self.words))
            self._costs[term] = [(index, match) for index, match in matches if match]
        return self._costs[term]


def match_of(word: Word, term: str, number: int) -> Match | None:
    """Return what a term with this weight costs, its field and the size of the name.

    None if the word cannot match the term.
    """
    if not word.accepts(term):
        return None
    field, size, is_repeated = weight_parts(number)
    cost = COSTS[field] + is_repeated * COST_OF_REPEATED + word.is_corrected * COST_OF_CORRECTING
    if term in word.joined:
        cost += COST_OF_JOINED
    elif term not in word.terms:
        cost += COST_OF_COMPLETING_NAME if field is TermField.NAME else COST_OF_COMPLETING
    return cost, field, size
