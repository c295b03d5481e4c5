"""Parses the query parameters of `GET tags` and of the tag list."""

from __future__ import annotations

from django.http import QueryDict

from registry.domain.choices import check_choice
from registry.domain.conditions import parse_conditions
from registry.domain.errors import Code, Fault, refuse_all
from registry.services.core import cursors
from registry.services.search.facets import FACETS
from registry.services.search.searching import SearchQuery, Sort

SINGLE_PARAMETERS = ("q", *FACETS, "sort", cursors.PARAMETER)
PARAMETERS = frozenset({*SINGLE_PARAMETERS, "where"})


def parse_query(parameters: QueryDict) -> SearchQuery:
    """Return the search that parameters describe; empty parameters are ignored.

    Raises `Refused`: REQUEST_INVALID for a repeated parameter, FILTER_INVALID for an invalid
    condition or order.
    """
    refuse_all(
        Fault("", Code.REQUEST_INVALID, f"{name} is repeated", f"{name} once", name)
        for name in sorted(SINGLE_PARAMETERS)
        if len(parameters.getlist(name)) > 1
    )
    return SearchQuery(
        text=parameters.get("q", ""),
        facts={facet: value for facet in FACETS if (value := parameters.get(facet, ""))},
        where=parse_conditions(filter(None, parameters.getlist("where"))),
        sort=_sort(parameters.get("sort") or Sort.BEST),
    )


def _sort(text: str) -> Sort:
    check_choice("sort", text, Sort.values)
    return Sort(text)
