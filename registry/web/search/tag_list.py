"""The list of tags as a page: the query, and links that add or remove parts of it."""

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
SHOWN = 7  # values of a facet; the others are folded

TITLES = {
    "namespace": "Namespace",
    "kind": "Kind",
    "vendor": "Vendor",
    "arch": "Architecture",
    "family": "Family",
    "status": "Status",
}
CONDITIONS = {  # examples of the syntax
    "num-cores>=8": "a number",
    "/host/kind=llvm": "at its place",
    "libc=musl": "part of a triple",
    "mattr=+neon": "in a list",
}

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The query of the tag list as it was typed; all of it comes from the query string."""

    query: str
    facts: Mapping[str, str]
    where: tuple[str, ...]
    sort: str
    is_later: bool  # not the first page

    @classmethod
    def of(cls, parameters: QueryDict) -> ListQuery:
        """Parse a query string; the service validates it."""
        return cls(
            query=parameters.get("q", "").strip()[:MAX_QUERY],
            facts={facet: value for facet in FACETS if (value := parameters.get(facet, ""))},
            where=tuple(filter(None, map(str.strip, parameters.getlist("where")))),
            sort=parameters.get("sort", ""),
            is_later="cursor" in parameters,
        )

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Return all parameters except the cursor, in canonical order."""
        query = [("q", self.query)] if self.query else []
        sort = [("sort", self.sort)] if self.sort else []
        return (*query, *self.facts.items(), *(("where", text) for text in self.where), *sort)

    @property
    def narrowing(self) -> tuple[Pair, ...]:
        """Return all parameters that a search for another text keeps."""
        return tuple(pair for pair in self.pairs if pair[0] != "q")

    @property
    def is_nothing(self) -> bool:
        """Return whether the query is empty and this is the first page."""
        return not (self.pairs or self.is_later)

    @property
    def address(self) -> str:
        """Return the URL of the first page of this list."""
        return reverse("home", query=self.pairs)

    @property
    def unnarrowed(self) -> str:
        """Return the URL of the search for the text alone."""
        return self.lacking(*FACETS, "where", "sort")

    @property
    def resource(self) -> str:
        """Return the API's URL of the same list."""
        return reverse("api:tags", query=self.pairs)

    @property
    def exact(self) -> Reference | None:
        """Return the one version that the search text names, if it does."""
        try:
            reference = Reference.parse(self.query)
        except Refused:
            return None
        return None if reference.selector == NEWEST else reference

    def having(self, name: str, value: str) -> str:
        """Return the URL with this parameter set."""
        others = (pair for pair in self.pairs if pair[0] != name)
        return reverse("home", query=(*others, (name, value)))

    def lacking(self, *names: str) -> str:
        """Return the URL without these parameters."""
        return reverse("home", query=[pair for pair in self.pairs if pair[0] not in names])

    def ignoring(self, condition: str) -> str:
        """Return the URL without one of the conditions."""
        others = [pair for pair in self.pairs if pair != ("where", condition)]
        return reverse("home", query=others)


@dataclass(frozen=True, slots=True)
class FilterLink:
    """A link that changes the query: its text, its URL, and whether it is already in effect."""

    text: str
    url: str
    is_chosen: bool = False
    label: str = ""
    count: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """A facet with its values; a selected value links back to all of them."""

    title: str
    first: tuple[FilterLink, ...]
    others: tuple[FilterLink, ...]
    is_cut: bool  # there may be more values than are counted


def facets(asked: ListQuery, found: SearchResults) -> list[Facet]:
    """Return the facets of the matching tags, and those that are selected."""
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
    """Return the active filters; each links to the list without it."""
    return [
        *([FilterLink(asked.query, asked.lacking("q"), label="name")] if asked.query else []),
        *(
            FilterLink(value, asked.lacking(facet), label=TITLES[facet].lower())
            for facet, value in asked.facts.items()
        ),
        *(FilterLink(text, asked.ignoring(text), label="where") for text in asked.where),
    ]


def sorts(asked: ListQuery) -> list[FilterLink]:
    """Return the available sort orders."""
    best = "best match" if asked.query else "name"
    return [
        FilterLink(best, asked.lacking("sort"), asked.sort in ("", Sort.BEST)),
        FilterLink(
            "recently published", asked.having("sort", Sort.PUBLISHED), asked.sort == Sort.PUBLISHED
        ),
    ]


def count_text(count: int, found: SearchResults) -> str:
    """Return a number of tags, with a plus if counting stopped early."""
    return f"{count:,}{'+' if found.is_capped else ''}"


def heading(asked: ListQuery, found: SearchResults) -> str:
    """Return the heading of the list, in one line."""
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
    """The field for a further condition: its text, its errors, and the parameters to keep."""

    typed: str
    faults: tuple[str, ...]
    kept: tuple[Pair, ...]
    is_open: bool  # to another condition
    most: int = MAX_CONDITIONS
    expected: str = EXPECTED


def condition_field(asked: ListQuery) -> ConditionField:
    """Return the field for this query. It shows one invalid condition at a time."""
    faults = {text: fault for text in asked.where if (fault := _fault(text))}
    if len(asked.where) > MAX_CONDITIONS:
        faults[asked.where[-1]] = f"{len(asked.where)} conditions are too many"
    typed = next(iter(faults), "")
    kept = tuple(pair for pair in asked.pairs if pair != ("where", typed))
    is_open = bool(typed) or len(asked.where) < MAX_CONDITIONS
    return ConditionField(typed, tuple(faults.values()), kept, is_open)


def examples(filled: ConditionField) -> list[FilterLink]:
    """Return links to example conditions, which replace an invalid one."""
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
    """Return links to similar values if a facet has a value that no tag can have."""
    for facet, value in asked.facts.items():
        try:
            filters.check_facts({facet: value})
        except Refused:
            return [FilterLink(near, asked.having(facet, near)) for near in refusal.suggestions]
    return []
