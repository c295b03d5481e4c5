"""Suggestions of tags while somebody types, as a fragment of a page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.services.search import searching
from registry.services.search.searching import SearchQuery
from registry.web.core.decorators import public_document

MAX_SUGGESTIONS = 8  # all of them fit on a small screen
MIN_LENGTH = 2  # characters; a single one matches nearly every tag


@public_document
def suggestions(request: HttpRequest) -> HttpResponse:
    """Return the best matches of a text as options of a list box, the best one first.

    With `links`, each one is a link to its tag. Otherwise it has the text that the field gets: with
    a `separator` of references, a suggestion completes the last one.
    """
    before, separator, text = _split(request.GET.get("q", ""), request.GET.get("separator", ""))
    text = text.strip()
    is_searched = len(text) >= MIN_LENGTH and "@" not in text  # of a tag, not of its versions
    query = SearchQuery(text, limit=MAX_SUGGESTIONS)
    results = searching.search(query) if is_searched else None
    context = {
        "entries": results.entries or results.similar if results else (),
        "before": f"{before}{separator.strip()} " if separator else "",
        "as_links": "links" in request.GET,
    }
    return render(request, "registry/search/suggestions.html", context)


def _split(text: str, separator: str) -> tuple[str, str, str]:
    """Return the text before the last separator, the separator, and the text after it."""
    return text.rpartition(separator) if separator else ("", "", text)
