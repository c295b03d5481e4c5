"""The list of tags as a page: what is asked for, and links that ask for a little more or less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from registry.domain.conditions import EXPECTED, MAX_CONDITIONS, Condition
from registry.domain.errors import Refused
from registry.domain.reference import NEWEST, Reference
from registry.services.search import filters
from registry.services.search.facets import FACETS, MAX_VALUES, Value
from registry.services.search.searching import SearchResults, Sort

MAX_QUERY = 200  # characters that the search field keeps
SHOWN = 7  # values of a facet; the others are one step away

TITLES = {
    "namespace": "Namespace",
    "kind": "Kind",
    "vendor": "Vendor",
    "arch": "Architecture",
    "family": "Family",
    "status": "Status",
}
CONDITIONS = {  # that show what there is to ask for
    "num-cores>=8": "a number",
    "/host/kind=llvm": "at its place",
    "libc=musl": "part of a triple",
    "mattr=+neon": "in a list",
}

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ListQuery:
    """What a reader asks the list for, as it was typed. All of it stands in the query string."""

    query: str
    facts: Mapping[str, str]
    where: tuple[str, ...]
    sort: str
    is_later: bool  # not the first page

    @classmethod
    def of(cls, parameters: QueryDict) -> ListQuery:
        """Read a query string; whether it can be asked for, the service says."""
        return cls(
            query=parameters.get("q", "").strip()[:MAX_QUERY],
            facts={facet: value for facet in FACETS if (value := parameters.get(facet, ""))},
            where=tuple(filter(None, map(str.strip, parameters.getlist("where")))),
            sort=parameters.get("sort", ""),
            is_later="cursor" in parameters,
        )

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All of it, but for the page, in the order in which addresses have it."""
        query = [("q", self.query)] if self.query else []
        sort = [("sort", self.sort)] if self.sort else []
        return (*query, *self.facts.items(), *(("where", text) for text in self.where), *sort)

    @property
    def narrowing(self) -> tuple[Pair, ...]:
        """All that a search for another text keeps."""
        return tuple(pair for pair in self.pairs if pair[0] != "q")

    @property
    def is_nothing(self) -> bool:
        """Whether it is the first screen, with nothing asked for."""
        return not (self.pairs or self.is_later)

    @property
    def address(self) -> str:
        """Of the first page of all this."""
        return reverse("home", query=self.pairs)

    @property
    def unnarrowed(self) -> str:
        """The address of the search for the text alone."""
        return self.lacking(*FACETS, "where", "sort")

    @property
    def resource(self) -> str:
        """The API's address of the same list."""
        return reverse("api:tags", query=self.pairs)

    @property
    def exact(self) -> Reference | None:
        """The one version that a query names, if it does."""
        try:
            reference = Reference.parse(self.query)
        except Refused:
            return None
        return None if reference.selector == NEWEST else reference

    def having(self, name: str, value: str) -> str:
        """The address that asks for this, too, in place of what stood under its name."""
        others = (pair for pair in self.pairs if pair[0] != name)
        return reverse("home", query=(*others, (name, value)))

    def lacking(self, *names: str) -> str:
        """The address that asks for all but what stands under these names."""
        return reverse("home", query=[pair for pair in self.pairs if pair[0] not in names])

    def ignoring(self, condition: str) -> str:
        """The address with one condition less."""
        others = [pair for pair in self.pairs if pair != ("where", condition)]
        return reverse("home", query=others)


@dataclass(frozen=True, slots=True)
class FilterLink:
    """What a click changes: a word, where it leads, and whether it is so already."""

    text: str
    url: str
    is_chosen: bool = False
    label: str = ""
    count: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """One fact with its values; a chosen one leads back to all."""

    title: str
    first: tuple[FilterLink, ...]
    others: tuple[FilterLink, ...]
    is_cut: bool  # there may be more values than are counted


def facets(asked: ListQuery, found: SearchResults) -> list[Facet]:
    """The facts that tell the tags found apart, and those that are chosen."""
    return list(_facets(asked, found))


def _facets(asked: ListQuery, found: SearchResults) -> Iterator[Facet]:
    for facet, title in TITLES.items():
        chosen = asked.facts.get(facet)
        values = found.facets[facet] or ((Value(chosen, 0),) if chosen else ())
        links = tuple(_value(asked, facet, value, found) for value in values)
        if links:
            yield Facet(title, links[:SHOWN], links[SHOWN:], len(values) == MAX_VALUES)


def _value(asked: ListQuery, facet: str, value: Value, found: SearchResults) -> FilterLink:
    is_chosen = asked.facts.get(facet) == value.value
    url = asked.lacking(facet) if is_chosen else asked.having(facet, value.value)
    return FilterLink(value.value, url, is_chosen, TITLES[facet], count_text(value.count, found))


def chips(asked: ListQuery) -> list[FilterLink]:
    """What narrows the list; each leads to the list without it."""
    return [
        *([FilterLink(asked.query, asked.lacking("q"), label="name")] if asked.query else []),
        *(
            FilterLink(value, asked.lacking(facet), label=TITLES[facet].lower())
            for facet, value in asked.facts.items()
        ),
        *(FilterLink(text, asked.ignoring(text), label="where") for text in asked.where),
    ]


def sorts(asked: ListQuery) -> list[FilterLink]:
    """The orders that the list can have."""
    best = "best match" if asked.query else "name"
    return [
        FilterLink(best, asked.lacking("sort"), asked.sort in ("", Sort.BEST)),
        FilterLink(
            "recently published", asked.having("sort", Sort.PUBLISHED), asked.sort == Sort.PUBLISHED
        ),
    ]


def count_text(count: int, found: SearchResults) -> str:
    """A number of tags; with a plus where more of them are not counted."""
    return f"{count:,}{'+' if found.is_capped else ''}"


def heading(asked: ListQuery, found: SearchResults) -> str:
    """What the list holds, in one line."""
    if not found.total:
        if asked.query:
            return f"{'No match for' if asked.narrowing else 'Nothing is named'} “{asked.query}”"
        return "No tags"
    one = found.total == 1 and not found.is_capped
    tags = f"{count_text(found.total, found)} {'tag' if one else 'tags'}"
    if asked.query:
        return f"{tags} {'matches' if one else 'match'} “{asked.query}”"
    return tags if asked.facts or asked.where else f"All {tags}"


@dataclass(frozen=True, slots=True)
class ConditionField:
    """The field for one more condition: what stands in it, what is wrong, what is kept beside."""

    typed: str
    faults: tuple[str, ...]
    kept: tuple[Pair, ...]
    is_open: bool  # to another condition
    most: int = MAX_CONDITIONS
    expected: str = EXPECTED


def condition_field(asked: ListQuery) -> ConditionField:
    """The field as it should look to one who asked so. Only one wrong condition stands in it."""
    faults = {text: fault for text in asked.where if (fault := _fault(text))}
    if len(asked.where) > MAX_CONDITIONS:
        faults[asked.where[-1]] = f"{len(asked.where)} conditions are too many"
    typed = next(iter(faults), "")
    kept = tuple(pair for pair in asked.pairs if pair != ("where", typed))
    is_open = bool(typed) or len(asked.where) < MAX_CONDITIONS
    return ConditionField(typed, tuple(faults.values()), kept, is_open)


def examples(filled: ConditionField) -> list[FilterLink]:
    """Conditions to begin with, in place of what is wrong."""
    return [
        FilterLink(text, reverse("home", query=(*filled.kept, ("where", text))), label=says)
        for text, says in CONDITIONS.items()
        if ("where", text) not in filled.kept
    ]


def _fault(condition: str) -> str:
    try:
        Condition.parse(condition)
    except Refused as refusal:
        return refusal.faults[0].message
    return ""


def suggestions_for(asked: ListQuery, refusal: Refused) -> list[FilterLink]:
    """What may have been meant by a value that no tag can have."""
    for facet, value in asked.facts.items():
        try:
            filters.check_facts({facet: value})
        except Refused:
            return [FilterLink(near, asked.having(facet, near)) for near in refusal.suggestions]
    return []
