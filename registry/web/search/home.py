"""The home page: an introduction and the list of tags with its search."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.services.core import cursors
from registry.services.search import parameters, searching
from registry.services.search.searching import SearchResults
from registry.services.tags import detail
from registry.web.core import error_pages
from registry.web.core.code_blocks import HighlightedCode, format_json, highlight
from registry.web.core.decorators import public_page
from registry.web.documents.search import search_headings
from registry.web.search import tag_list
from registry.web.search.fact_filters import range_fields
from registry.web.search.tag_list import ListQuery
from registry.web.tags.list_rows import TagRow
from registry.web.tags.snippets import curl
from registry.web.tags.summary import summary

EXAMPLES = {  # one for each type of machine
    "aws/c4.4xlarge": "a machine in a data centre",
    "nvidia/jetson-nano:cuda": "a board: its GPU and the CPU that drives it",
    "arm/soc:aot": "a microcontroller, compiled ahead of time",
}
SNIPPET_TAG = "arm/soc:aot"  # the shortest example

# The list shows these errors itself, and keeps the input.
INVALID_QUERY = (Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN, Code.REQUEST_INVALID)


@dataclass(frozen=True, slots=True)
class Example:
    """An example tag of the introduction."""

    tag: str
    description: str
    summary: str


@public_page
def home(request: HttpRequest) -> HttpResponse:
    """List all tags or those that match the query; without a query, also introduce the registry."""
    query = ListQuery.of(request.GET)
    try:
        results = searching.search(
            parameters.parse_query(request.GET),
            after=cursors.decode_cursor(request.path, request.GET),
        )
    except Refused as refusal:
        if refusal.code not in INVALID_QUERY:
            raise
        return _invalid_query(request, query, refusal)
    context = _context(query) | _results(request, query, results)
    if query.is_empty:
        context |= _introduction(request, results)
    return render(request, "registry/home.html", context)


def _invalid_query(request: HttpRequest, query: ListQuery, refusal: Refused) -> HttpResponse:
    """Render the page with the error in place of the list."""
    context = _context(query) | {
        "expected": next((fault.expected for fault in refusal.faults), ""),
    }
    return error_pages.refusal_page(request, refusal, template="registry/home.html", **context)


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
    return {
        "results": results,
        "heading": tag_list.heading(query, results),
        "rows": [
            TagRow.of(entry, query.fact_order) for entry in results.entries or results.similar
        ],
        "facets": list(tag_list.facets(query, results)),
        "sorts": tag_list.sorts(query),
        "documents": () if query.is_later_page else search_headings(query.text),
        "next": cursors.next_url(request.path, request.GET, results.next_key),
    }


def _introduction(request: HttpRequest, results: SearchResults) -> dict[str, Any]:
    """Return the examples, and a request with its response.

    Without the catalogue there are no examples, and the request is for the first tag in the list.
    """
    targets = detail.target_texts([Reference.parse(text) for text in EXAMPLES])
    examples = [
        Example(tag, description, summary(json.loads(targets[tag])))
        for tag, description in EXAMPLES.items()
        if tag in targets
    ]
    response: HighlightedCode | None = None
    tag = next((entry.text for entry in results.entries), "")
    if SNIPPET_TAG in targets:
        response = highlight(format_json(json.loads(targets[SNIPPET_TAG])))
        tag = SNIPPET_TAG
    return {
        "examples": examples,
        "response": response,
        "snippet_tag": SNIPPET_TAG,
        "snippet": curl(request, tag, "target") if tag else "",
    }
