"""Suggestions of tags and kinds while somebody types, as a fragment of a page."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.names.near_names import nearest_names
from registry.services.kinds import kinds
from registry.services.search import searching
from registry.services.search.search_query import SearchQuery
from registry.web.core.decorators import public_document
from registry.web.core.parameters import takes

MAX_SUGGESTIONS = 8  # all of them fit on a small screen
MAX_KINDS = 3  # of them
MIN_LENGTH = 2  # characters; a single one matches nearly every tag


# Decision 081: one form of the answer, HTML, and the ranking of the list of tags.
@public_document
@takes("q", "separator", "kinds", "links")
def suggestions(request: HttpRequest) -> HttpResponse:
    """Return the best matches of a text as options of a list box, the best one first.

    With `links`, each one is a link to its tag. Otherwise it has the text that the field gets: with
    a `separator` of references, a suggestion completes the last one. With `kinds`, the kinds that
    begin like the text come first.
    """
    before, separator, text = "", request.GET.get("separator", ""), request.GET.get("q", "")
    if separator:
        before, separator, text = text.rpartition(separator)
    text = text.strip()
    is_searched = len(text) >= MIN_LENGTH and "@" not in text  # of a tag, not of its versions
    names = _kinds_like(text) if is_searched and "kinds" in request.GET else ()
    query = SearchQuery(text, limit=MAX_SUGGESTIONS - len(names), is_typed=True)
    results = searching.search(query) if is_searched else None
    context = {
        "kinds": names,
        "entries": results.entries if results else (),
        "missing": results.missing if results else (),
        "nearest": results.nearest if results else (),
        "before": f"{before}{separator.strip()} " if separator else "",
        "as_links": "links" in request.GET,
    }
    return render(request, "registry/search/suggestions.html", context)


def _kinds_like(text: str) -> Sequence[str]:
    """Return the kinds of targets that begin with a text, or else similar ones."""
    names = kinds.current_kinds().kinds.offered
    beginning = [name for name in names if name.startswith(text.lower())]
    return (beginning or nearest_names(text, names))[:MAX_KINDS]
