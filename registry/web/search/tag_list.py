"""The parts of the tag list beside its rows: links that add or remove filters, and its heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.descriptions.descriptions import CATEGORIES
from registry.domain.errors import Refused
from registry.domain.proofs import Compiler
from registry.domain.search.attributes import COMPILES
from registry.domain.search.conditions import EXPECTED, MAX_CONDITIONS, SEPARATOR, Condition
from registry.domain.search.list_columns import COLUMNS, ListColumn
from registry.services.search.facets import ANY, CATEGORY, STATUS, FacetValue
from registry.services.search.orders import Sort
from registry.services.search.search_query import SearchResults
from registry.web.core.compiler_names import COMPILER_NAMES
from registry.web.core.filter_links import FilterLink, Parameter
from registry.web.search.fact_filters import fact_sorts, range_label
from registry.web.search.list_query import IN_CATEGORY, ListQuery, list_url

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


def facets(query: ListQuery, results: SearchResults) -> Iterator[dict[str, Any]]:
    """Yield the facets of the results, those that the query filters by, and the compilers.

    Its parts are the first values, then those that are collapsed. If it is truncated, there may be
    more.
    """
    for facet, title in TITLES.items():
        selected = query.facts.get(facet)
        values = results.facets[facet] or ((FacetValue(selected, 0),) if selected else ())
        links = [
            FilterLink(
                each.value,
                query.toggled_url(facet, each.value),
                each.value == selected,
                title,
                count_text(each.count, results),
            )
            for each in values
        ]
        if facet == STATUS:  # the list with deprecated tags
            links.append(FilterLink(ANY, query.toggled_url(STATUS, ANY), selected == ANY, title))
        if links:
            yield {
                "title": title,
                "parts": [part for part in (links[:MAX_VISIBLE], links[MAX_VISIBLE:]) if part],
                "is_truncated": facet in results.cut_facets,
            }
    yield {"title": COMPILES_WITH, "parts": [_compiler_links(query)]}


def _compiler_links(query: ListQuery) -> list[FilterLink]:
    return [
        FilterLink(
            COMPILER_NAMES[each],
            query.toggled_url(COMPILES, each),
            each == query.compiler,
            COMPILES_WITH,
        )
        for each in Compiler
    ]


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


def sorts(query: ListQuery, columns: Sequence[ListColumn]) -> list[FilterLink]:
    """Return the orders: the default, by date, by use, and by the facts of the columns."""
    default = "best match" if query.text else "machines first"
    by_name = {} if query.text else {Sort.BEST: "name"}
    others = by_name | {Sort.PUBLISHED: "recently published", Sort.USED: "most used"}
    defaults = ("", Sort.MACHINES, *([Sort.BEST] if query.text else []))
    facts = (column.fact for column in columns if column.fact)
    return [
        FilterLink(default, query.url_without("sort"), query.sort in defaults),
        *(
            FilterLink(text, query.url_with("sort", sort), query.sort == sort)
            for sort, text in others.items()
        ),
        *(
            FilterLink(text, query.url_with("sort", str(order)), is_used)
            for text, order, is_used in fact_sorts(query.sort, facts)
        ),
    ]


def column_choices(columns: Sequence[ListColumn]) -> list[tuple[ListColumn, bool]]:
    """Return all columns that a list can have, and whether it has them."""
    return [(column, column in columns) for column in COLUMNS.values()]


def count_text(count: int, results: SearchResults) -> str:
    """Return a number of tags, with a plus sign if counting stopped early."""
    return f"{count:,}{'+' if results.is_capped else ''}"


def heading(query: ListQuery, results: SearchResults) -> str:
    if not results.total:
        return f"No tags match “{query.text}”" if query.text else "No tags"
    is_one = results.total == 1 and not results.is_capped
    tags = f"{count_text(results.total, results)} {'tag' if is_one else 'tags'}"
    if results.beginning:
        names = f"{count_text(results.total, results)} {'begins' if is_one else 'begin'}"
        return f"No tag is named “{results.beginning}”: {names} with it"
    if query.text:
        return f"{tags} {'matches' if is_one else 'match'} “{query.text}”"
    return tags if query.filters else f"All {tags}"


def unstated_note(query: ListQuery, results: SearchResults) -> str:
    """Return how many tags come last because they do not state the fact of the order."""
    if not results.unstated or query.fact_order is None:
        return ""
    verb = "does" if results.unstated == 1 and not results.is_capped else "do"
    fact = query.fact_order.fact.title.lower()
    return f"{count_text(results.unstated, results)} {verb} not state it ({fact}); last in the list"


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
