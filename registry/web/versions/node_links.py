"""`?node=`: one node of a target, where a page can show each on its own."""

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
    """The pointer that is asked for; empty for the whole."""
    return request.GET.get("node", "")


def query(**asked: str) -> str:
    """A query string that people can read, of what is not empty; with its question mark."""
    found = urlencode({name: text for name, text in asked.items() if text}).replace("%2F", "/")
    return f"?{found}" if found else ""


def links(route: str, reference: Reference, pointers: Iterable[str]) -> list[Suggestion]:
    """The same page of nodes, by their pointers."""
    path = reverse(route, args=[reference])
    return [
        Suggestion(pointer or "the target itself", f"{path}{query(node=pointer)}")
        for pointer in pointers
    ]


def unknown_node_page(request: HttpRequest, refusal: Refused, reference: Reference) -> HttpResponse:
    """The page that leads to nodes which there are. Raises refusals for another reason again."""
    if refusal.code is not Code.NODE_UNKNOWN:
        raise refusal
    assert request.resolver_match  # noqa: S101 - a view is asked through a route
    route = request.resolver_match.view_name
    return error_pages.refusal_page(
        request, refusal, near=links(route, reference, refusal.suggestions)
    )
