"""The `?node=` parameter: links to pages of a single node of a target."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.web.core import error_pages
from registry.web.core.error_pages import Suggestion


def requested_node(request: HttpRequest) -> str:
    """Return the pointer in the query; empty for the whole target."""
    return request.GET.get("node", "")


def query(**parameters: str) -> str:
    """Return a readable query string of the non-empty values, with its question mark."""
    text = urlencode({name: value for name, value in parameters.items() if value})
    return f"?{text}".replace("%2F", "/") if text else ""


def links(route: str, reference: Reference, pointers: Iterable[str]) -> list[Suggestion]:
    """Return links to a page for each of the pointers."""
    path = reverse(route, args=[reference])
    return [
        Suggestion(pointer or "the target itself", f"{path}{query(node=pointer)}")
        for pointer in pointers
    ]


def unknown_node_page(request: HttpRequest, refusal: Refused, reference: Reference) -> HttpResponse:
    """Render the error page with links to existing nodes. Re-raises other refusals."""
    if refusal.code is not Code.NODE_UNKNOWN:
        raise refusal
    assert request.resolver_match  # noqa: S101 - views are called through a route
    route = request.resolver_match.view_name
    return error_pages.refusal_page(
        request, refusal, suggestions=links(route, reference, refusal.suggestions)
    )
