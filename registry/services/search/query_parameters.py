"""Parses the query parameters of `GET tags` and of the tag list."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import QueryDict

from registry.domain.errors import refuse_all
from registry.domain.names.choices import check_choice, repeated
from registry.domain.proofs import Compiler
from registry.domain.search.attributes import COMPILES, COMPILES_POINTER
from registry.domain.search.comparable_facts import (
    FACT_ORDERS,
    RANGE_PARAMETERS,
    FactOrder,
    range_conditions,
)
from registry.domain.search.conditions import Condition, check_count, parse_conditions
from registry.services.core import cursors
from registry.services.core.paging import LIMIT, parse_limit
from registry.services.search.facets import FACETS
from registry.services.search.orders import Sort
from registry.services.search.search_query import SearchQuery

ORDERS = (*Sort.values, *FACT_ORDERS)
TYPING = "typing"  # "true" while somebody types the text: its last word may go on
SINGLE_PARAMETERS = (
    "q",
    TYPING,
    *FACETS,
    COMPILES,
    *RANGE_PARAMETERS,
    "sort",
    LIMIT,
    cursors.PARAMETER,
)
WHERE = "where"  # once for each condition
PARAMETERS = frozenset({*SINGLE_PARAMETERS, WHERE})


def parse_query(parameters: QueryDict, default_sort: str = "") -> SearchQuery:
    """Return the search that parameters describe; empty parameters are ignored.

    Raises `Refused`: REQUEST_INVALID for a repeated parameter, FILTER_INVALID for an invalid
    condition, range, order or limit.
    """
    refuse_all(
        repeated(name) for name in sorted(SINGLE_PARAMETERS) if len(parameters.getlist(name)) > 1
    )
    typing = parameters.get(TYPING) or "false"
    check_choice(TYPING, typing, ["true", "false"])
    return SearchQuery(
        text=parameters.get("q", ""),
        facts={facet: value for facet in FACETS if (value := parameters.get(facet, ""))},
        where=_conditions(parameters),
        sort=_sort(parameters.get("sort") or default_sort or Sort.BEST),
        limit=parse_limit(parameters),
        is_typed=typing == "true",
    )


def _conditions(parameters: QueryDict) -> tuple[Condition, ...]:
    """Return the conditions, ranges and the compiler, which are limited together."""
    ranges = {name: text for name in RANGE_PARAMETERS if (text := parameters.get(name, ""))}
    conditions = (
        *range_conditions(ranges),
        *_compiler_condition(parameters.get(COMPILES, "")),
        *parse_conditions(filter(None, parameters.getlist(WHERE))),
    )
    check_count(len(conditions))
    return conditions


def _compiler_condition(text: str) -> Iterator[Condition]:
    if text:
        check_choice(COMPILES, text, [*Compiler])
        yield Condition(COMPILES, COMPILES_POINTER, "=", texts=(text,))


def _sort(text: str) -> Sort | FactOrder:
    check_choice("sort", text, ORDERS)
    return FactOrder.parse(text) or Sort(text)
