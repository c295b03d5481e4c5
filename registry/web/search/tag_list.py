"""The query of the tag list, and links that add or remove parts of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from registry.domain.descriptions.descriptions import CATEGORIES
from registry.domain.errors import Refused
from registry.domain.proofs import Compiler
from registry.domain.reference import NEWEST, Reference
from registry.domain.search.attributes import COMPILES
from registry.domain.search.comparable_facts import RANGE_PARAMETERS, FactOrder
from registry.domain.search.conditions import EXPECTED, MAX_CONDITIONS, SEPARATOR, Condition
from registry.services.core.paging import LIMIT
from registry.services.search.facets import (
    ANY,
    CATEGORY,
    CATEGORY_POINTER,
    FACETS,
    MAX_VALUES,
    STATUS,
    FacetValue,
)
from registry.services.search.searching import SearchResults, Sort
from registry.web.core.compiler_names import COMPILER_NAMES
from registry.web.core.filter_links import FilterLink, Parameter
from registry.web.search.fact_filters import fact_sorts, range_label

IN_CATEGORY = f"{CATEGORY_POINTER}="  # the start of a condition on the category
MAX_QUERY = 200  # characters that the search field keeps
MAX_VISIBLE = 7  # values of a facet; the others are collapsed

TITLES = {
    "namespace": "Namespace",
    "kind": "Kind",
    "vendor": "Vendor",
    "arch": "Architecture",
    "family": "Family",
    "status": "Status",
}
COMPILES_WITH = "Compiles with"
CONDITIONS = {  # examples of the syntax
    "num-cores>=8": "a number",
    "/host/kind=llvm": "at a pointer",
    "libc=musl": "a part of a triple",
    "mattr=+neon": "an item of a list",
}


def list_url(pairs: Sequence[Parameter]) -> str:
    """Return the URL of the list with these parameters, or of all tags."""
    return reverse("home", query=pairs) if pairs else reverse("tags")


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The query of the tag list, from the query string; not validated."""

    text: str
    facts: Mapping[str, str]
    compiler: str
    ranges: Mapping[str, str]
    where: tuple[str, ...]
    sort: str
    limit: str
    is_later_page: bool

    @classmethod
    def of(cls, parameters: QueryDict) -> ListQuery:
        return cls(
            text=parameters.get("q", "").strip()[:MAX_QUERY],
            facts={facet: value for facet in FACETS if (value := parameters.get(facet, ""))},
            compiler=parameters.get(COMPILES, ""),
            ranges={name: text for name in RANGE_PARAMETERS if (text := parameters.get(name, ""))},
            where=tuple(filter(None, map(str.strip, parameters.getlist("where")))),
            sort=parameters.get("sort", ""),
            limit=parameters.get(LIMIT, ""),
            is_later_page="cursor" in parameters,
        )

    @property
    def pairs(self) -> tuple[Parameter, ...]:
        """Return all parameters except the cursor, in canonical order."""
        text = [("q", self.text)] if self.text else []
        sort = [("sort", self.sort)] if self.sort else []
        where = (("where", condition) for condition in self.where)
        limit = [(LIMIT, self.limit)] if self.limit else []
        compiler = [(COMPILES, self.compiler)] if self.compiler else []
        return (*text, *self.facts.items(), *compiler, *self.ranges.items(), *where, *sort, *limit)

    @property
    def filters(self) -> tuple[Parameter, ...]:
        """Return all parameters except the search text and the cursor."""
        return tuple(pair for pair in self.pairs if pair[0] != "q")

    @property
    def pairs_without_ranges(self) -> tuple[Parameter, ...]:
        """Return the parameters that the form for ranges keeps."""
        return tuple(pair for pair in self.pairs if pair[0] not in RANGE_PARAMETERS)

    @property
    def fact_order(self) -> FactOrder | None:
        """Return the order by a fact, if the list is sorted by one."""
        return FactOrder.parse(self.sort)

    @property
    def is_empty(self) -> bool:
        return not (self.pairs or self.is_later_page)

    @property
    def first_page_url(self) -> str:
        return list_url(self.pairs)

    @property
    def text_only_url(self) -> str:
        """Return the URL of the search without filters."""
        return self.url_without(*FACETS, COMPILES, *RANGE_PARAMETERS, "where", "sort", LIMIT)

    @property
    def submit_url(self) -> str:
        """Return the URL of the form that submits what was searched for, in its namespace."""
        namespace = "" if "/" in self.text else self.facts.get("namespace", "")
        return reverse("submit", query={"searched": f"{namespace} {self.text}".strip()})

    @property
    def api_url(self) -> str:
        """Return the URL of the same list in the API."""
        return reverse("api:tags", query=self.pairs)

    @property
    def version_reference(self) -> Reference | None:
        """Return the search text as a reference if it selects a version, else None."""
        try:
            reference = Reference.parse(self.text)
        except Refused:
            return None
        return None if reference.selector == NEWEST else reference

    def url_with(self, name: str, value: str) -> str:
        others = (pair for pair in self.pairs if pair[0] != name)
        return list_url((*others, (name, value)))

    def url_without(self, *names: str) -> str:
        return list_url([pair for pair in self.pairs if pair[0] not in names])

    def url_without_condition(self, condition: str) -> str:
        others = [pair for pair in self.pairs if pair != ("where", condition)]
        return list_url(others)


def facets(query: ListQuery, results: SearchResults) -> Iterator[dict[str, Any]]:
    """Yield the facets of the results, those that the query filters by, and the compilers.

    The link of the selected value removes the filter. If a facet is truncated, there may be more
    values.
    """
    for facet, title in TITLES.items():
        selected = query.facts.get(facet)
        values = results.facets[facet] or ((FacetValue(selected, 0),) if selected else ())
        links = tuple(_value_link(query, facet, value, results) for value in values)
        links += (_any_status_link(query),) if facet == STATUS else ()
        if links:
            yield {
                "title": title,
                "visible": links[:MAX_VISIBLE],
                "collapsed": links[MAX_VISIBLE:],
                "is_truncated": len(values) == MAX_VALUES,
            }
    yield {"title": COMPILES_WITH, "visible": _compiler_links(query)}


def _value_link(
    query: ListQuery, facet: str, value: FacetValue, results: SearchResults
) -> FilterLink:
    is_selected = query.facts.get(facet) == value.value
    url = query.url_without(facet) if is_selected else query.url_with(facet, value.value)
    count = count_text(value.count, results)
    return FilterLink(value.value, url, is_selected, TITLES[facet], count)


def _any_status_link(query: ListQuery) -> FilterLink:
    """Return the link to the list with deprecated tags, or back to the one without."""
    is_selected = query.facts.get(STATUS) == ANY
    url = query.url_without(STATUS) if is_selected else query.url_with(STATUS, ANY)
    return FilterLink(ANY, url, is_selected, TITLES[STATUS])


def _compiler_links(query: ListQuery) -> tuple[FilterLink, ...]:
    """Return a link for each compiler; that of the selected one removes the filter."""
    return tuple(_compiler_link(query, compiler) for compiler in Compiler)


def _compiler_link(query: ListQuery, compiler: Compiler) -> FilterLink:
    is_selected = query.compiler == compiler
    url = query.url_without(COMPILES) if is_selected else query.url_with(COMPILES, compiler)
    return FilterLink(COMPILER_NAMES[compiler], url, is_selected, COMPILES_WITH)


def chips(query: ListQuery) -> list[FilterLink]:
    """Return the active filters, each linked to the list without it."""
    return [
        *([FilterLink(query.text, query.url_without("q"), label="search")] if query.text else []),
        *(
            FilterLink(value, query.url_without(facet), label=TITLES[facet].lower())
            for facet, value in query.facts.items()
        ),
        *(
            FilterLink(link.text, link.url, label=COMPILES_WITH.lower())
            for link in _compiler_links(query)
            if link.is_selected
        ),
        *(
            FilterLink(text, query.url_without(name), label=range_label(name).lower())
            for name, text in query.ranges.items()
        ),
        *(_condition_chip(query, text) for text in query.where),
    ]


def _condition_chip(query: ListQuery, text: str) -> FilterLink:
    """Return the link that removes a condition; categories of hardware have names in English."""
    url = query.url_without_condition(text)
    if not text.startswith(IN_CATEGORY):
        return FilterLink(text, url, label="where")
    categories = text.removeprefix(IN_CATEGORY).split(SEPARATOR)
    names = (CATEGORIES[name][1] if name in CATEGORIES else name for name in categories)
    return FilterLink(", ".join(names), url, label=CATEGORY)


def sorts(query: ListQuery) -> list[FilterLink]:
    default = "best match" if query.text else "name"
    others = {Sort.PUBLISHED: "recently published", Sort.USED: "most used"}
    return [
        FilterLink(default, query.url_without("sort"), query.sort in ("", Sort.BEST)),
        *(
            FilterLink(text, query.url_with("sort", sort), query.sort == sort)
            for sort, text in others.items()
        ),
        *(
            FilterLink(text, query.url_with("sort", str(order)), is_used)
            for text, order, is_used in fact_sorts(query.sort)
        ),
    ]


def count_text(count: int, results: SearchResults) -> str:
    """Return a number of tags, with a plus sign if counting stopped early."""
    return f"{count:,}{'+' if results.is_capped else ''}"


def heading(query: ListQuery, results: SearchResults) -> str:
    if not results.total:
        return f"No tags match “{query.text}”" if query.text else "No tags"
    is_one = results.total == 1 and not results.is_capped
    tags = f"{count_text(results.total, results)} {'tag' if is_one else 'tags'}"
    if query.text:
        return f"{tags} {'matches' if is_one else 'match'} “{query.text}”"
    return tags if query.filters else f"All {tags}"


@dataclass(frozen=True, slots=True)
class ConditionField:
    """The form field that adds a condition: its text, errors, and the parameters to keep."""

    text: str
    errors: tuple[str, ...]
    hidden: tuple[Parameter, ...]
    is_enabled: bool
    max_conditions: int = MAX_CONDITIONS
    expected: str = EXPECTED


def condition_field(query: ListQuery) -> ConditionField:
    """Return the field, with the first invalid condition of the query in it, if there is one."""
    errors = {text: error for text in query.where if (error := _parse_error(text))}
    if len(query.where) > MAX_CONDITIONS:
        errors[query.where[-1]] = f"{len(query.where)} conditions are too many"
    text = next(iter(errors), "")
    hidden = tuple(pair for pair in query.pairs if pair != ("where", text))
    is_enabled = bool(text) or len(query.where) < MAX_CONDITIONS
    return ConditionField(text, tuple(errors.values()), hidden, is_enabled)


def example_conditions(field: ConditionField) -> list[FilterLink]:
    """Return links that add an example condition; it replaces an invalid one."""
    return [
        FilterLink(text, list_url((*field.hidden, ("where", text))), label=label)
        for text, label in CONDITIONS.items()
        if ("where", text) not in field.hidden
    ]


def _parse_error(condition: str) -> str:
    try:
        Condition.parse(condition)
    except Refused as refusal:
        return refusal.faults[0].message
    return ""
