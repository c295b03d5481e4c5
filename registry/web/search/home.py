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
from registry.web.core.code_blocks import HighlightedCode as Highlighted, format_json, highlight
from registry.web.core.decorators import public_page
from registry.web.search import tag_list
from registry.web.search.tag_list import ListQuery
from registry.web.tags.list_rows import TagRow
from registry.web.tags.snippets import curl
from registry.web.tags.summary import summary

EXAMPLES = {  # one for each type of machine
    "aws/c4.4xlarge": "a machine in a data centre",
    "nvidia/jetson-nano:cuda": "a board: its GPU and the CPU that drives it",
    "arm/soc:aot": "a microcontroller, compiled ahead of time",
}
SHOWN = "arm/soc:aot"  # the shortest example

# The page of the list shows these errors itself, and keeps the input.
INVALID_QUERY = (Code.FILTER_INVALID, Code.NAMESPACE_UNKNOWN, Code.REQUEST_INVALID)


@dataclass(frozen=True, slots=True)
class Example:
    """A tag that shows what the registry is for."""

    tag: str
    says: str
    summary: str


@public_page
def home(request: HttpRequest) -> HttpResponse:
    """List all tags or those that match the query; without a query, also introduce the registry."""
    asked = ListQuery.of(request.GET)
    try:
        question = parameters.parse_query(request.GET)
        after = cursors.decode_cursor(request.path, request.GET)
        found = searching.search(question, after=after)
    except Refused as refusal:
        if refusal.code not in INVALID_QUERY:
            raise
        return _invalid_query(request, asked, refusal)
    context = _context(asked) | _results(request, asked, found)
    if asked.is_nothing:
        context |= _introduction(request, found)
    return render(request, "registry/home.html", context)


def _invalid_query(request: HttpRequest, asked: ListQuery, refusal: Refused) -> HttpResponse:
    """Render the page of the list with the error instead of results."""
    expected = next((fault.expected for fault in refusal.faults), "")
    context = _context(asked) | {
        "expected": expected,
        "near": tag_list.suggestions_for(asked, refusal),
    }
    return error_pages.refusal_page(request, refusal, template="registry/home.html", **context)


def _context(asked: ListQuery) -> dict[str, Any]:
    field = tag_list.condition_field(asked)
    return {
        "section": "tags",
        "asked": asked,
        "chips": tag_list.chips(asked),
        "field": field,
        "conditions": tag_list.examples(field),
    }


def _results(request: HttpRequest, asked: ListQuery, found: SearchResults) -> dict[str, Any]:
    return {
        "found": found,
        "heading": tag_list.heading(asked, found),
        "rows": [TagRow.of(entry) for entry in found.entries or found.near],
        "facets": tag_list.facets(asked, found),
        "sorts": tag_list.sorts(asked),
        "next": cursors.next_url(request.path, request.GET, found.following),
    }


def _introduction(request: HttpRequest, found: SearchResults) -> dict[str, Any]:
    """Return the examples and one request with its answer; any tag if the catalogue is missing."""
    targets = detail.target_texts([Reference.parse(text) for text in EXAMPLES])
    examples = [
        Example(tag, says, summary(json.loads(targets[tag])))
        for tag, says in EXAMPLES.items()
        if tag in targets
    ]
    shown: Highlighted | None = None
    if SHOWN in targets:
        shown = highlight(format_json(json.loads(targets[SHOWN])))
    tag = SHOWN if shown else next((entry.text for entry in found.entries), "")
    return {
        "examples": examples,
        "answer": shown,
        "answered": SHOWN,
        "snippet": curl(request, tag, "target") if tag else "",
    }
