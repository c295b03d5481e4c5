"""Leads from other spellings of a page's address to the page."""

from __future__ import annotations

from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from registry.http.names import READ_METHODS
from registry.services.search import near_names
from registry.services.versions import selection
from registry.services.versions.selection import SpelledOtherwise
from registry.web.core import error_pages
from ttag_rules.names import tag_problem

IN_REFERENCES = "/:@,"  # characters that URLs of pages keep


# Decision 144: an alias may get that spelling later, so no redirect is permanent.
def spelled_as_tag(request: HttpRequest, refusal: SpelledOtherwise) -> HttpResponse:
    """Redirect from `/tags/NVIDIA/Jetson-Nano` to the same page of the tag that exists.

    A form is refused: it would be lost.
    """
    path = request.path.replace(refusal.name, refusal.spelling, 1)
    if request.method not in READ_METHODS or path == request.path:
        return error_pages.refusal_page(request, refusal)
    url, query = quote(path, safe=IN_REFERENCES), request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{url}?{query}" if query else url)


def unknown_path(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Redirect from `/nvidia/jetson-nano` to the page of the tag, else answer 404 with near tags.

    Takes no query for a path that cannot be a tag.
    """
    name, separator, selector = request.path.strip("/").partition("@")
    if tag_problem(name.lower()) or request.method not in READ_METHODS:
        return error_pages.not_found(request, exception)
    if existing := selection.existing_name(name):
        return HttpResponseRedirect(reverse("tag", args=[f"{existing}{separator}{selector}"]))
    return error_pages.not_found(request, exception, near_names.similar_tags(name))
