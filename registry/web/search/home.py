"""The home page, and the list of tags with its search."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.errors import Code, Refused
from registry.services.core import cursors
from registry.services.search import query_parameters, searching
from registry.services.search.list_facts import read_list_facts
from registry.services.search.search_query import SearchResults
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.parameters import takes
from registry.web.documents.search import search_headings
from registry.web.search import tag_list
from registry.web.search.csv_list import MAX_ROWS
from registry.web.search.fact_filters import range_fields
from registry.web.search.introduction import introduction
from registry.web.search.list_query import LISTS, PARAMETERS, ListQuery
from registry.web.search.list_rows import list_table
from registry.web.versions.compare import MAX_TAGS

TEMPLATE = "registry/tags.html"
# The list shows these errors itself, and keeps the input.
INVALID_QUERY = (Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN, Code.REQUEST_INVALID)


@public_page
@takes(*PARAMETERS, several=LISTS)
def home(request: HttpRequest) -> HttpResponse:
    """Introduce the registry; with a query, list the tags that match it."""
    query = ListQuery.of(request.GET)
    if query.is_empty:
        return render(request, "registry/home.html", introduction(request))
    return _list(request, query)


@public_page
@takes(*PARAMETERS, several=LISTS)
def tags(request: HttpRequest) -> HttpResponse:
    """List all tags, or those that match the query."""
    return _list(request, ListQuery.of(request.GET))


def _list(request: HttpRequest, query: ListQuery) -> HttpResponse:
    try:
        query.check_look()
        results = searching.search(
            query_parameters.parse_query(request.GET, default_sort=query.order),
            after=cursors.decode_cursor(request.path, request.GET),
        )
    except Refused as refusal:
        if refusal.code not in INVALID_QUERY:
            raise
        return _invalid_query(request, query, refusal)
    return render(request, TEMPLATE, _context(query) | _results(request, query, results))


def _csv_limit(query: ListQuery, results: SearchResults) -> str:
    """Return how many tags the list as CSV has, if these are not all."""
    if results.total > MAX_ROWS:
        return f"{MAX_ROWS:,}"
    return f"{results.total:,}" if query.text and results.is_capped else ""


def _invalid_query(request: HttpRequest, query: ListQuery, refusal: Refused) -> HttpResponse:
    """Render the page with the error in place of the list."""
    context = _context(query) | {"expected": next((fault.expected for fault in refusal.faults), "")}
    return error_pages.refusal_page(request, refusal, template=TEMPLATE, **context)


def _context(query: ListQuery) -> dict[str, Any]:
    field = tag_list.condition_field(query)
    return {
        "section": "tags",
        "query": query,
        "chips": tag_list.chips(query),
        "condition_field": field,
        "range_fields": range_fields(query.ranges),
        "example_conditions": tag_list.example_conditions(field),
    }


def _results(request: HttpRequest, query: ListQuery, results: SearchResults) -> dict[str, Any]:
    order = query.fact_order
    table = list_table(
        results.entries,
        read_list_facts(results.entries),
        chosen=query.columns,
        sorted_by=order.fact.name if order else "",
        folds_families=query.folds_families,
    )
    return {
        "results": results,
        "heading": tag_list.heading(query, results),
        "unstated": tag_list.unstated_note(query, results),
        "table": table,
        "facets": list(tag_list.facets(query, results)),
        "sorts": tag_list.sorts(query, table.columns),
        "columns": tag_list.column_choices(table.columns),
        "max_compared": MAX_TAGS,
        "csv_limit": _csv_limit(query, results),
        "documents": () if query.is_later_page else search_headings(query.text),
        "next": cursors.next_url(request.path, request.GET, results.next_key),
    }
